package interop;

import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.CatalogFactory;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.InternalArray;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.data.Timestamp;
import org.apache.paimon.options.Options;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.table.Table;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.types.ArrayType;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.RowType;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * Reads tables through Paimon REST catalogs until its input ends.
 *
 * <p>A request is one line with tabs: URI, warehouse, token, table, and columns with commas or nothing. The answer is a line
 * of JSON for each row and END, or FAILED with the innermost exception.
 */
public final class Read {
    private static final PrintStream OUT = new PrintStream(System.out, false, StandardCharsets.UTF_8);

    public static void main(String[] arguments) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            answer(line.split("\t", -1));
            OUT.flush();
        }
    }

    private static void answer(String[] request) {
        Options options = new Options();
        options.set("metastore", "rest");
        options.set("uri", request[0]);
        options.set("warehouse", request[1]);
        options.set("token.provider", "bear");
        options.set("token", request[2]);
        options.set("cache-enabled", "false");
        // Nothing is printed before all of it is read: a read that fails half way shows no rows.
        List<String> rows;
        try (Catalog catalog = CatalogFactory.createCatalog(CatalogContext.create(options))) {
            rows = read(catalog.getTable(Identifier.fromString(request[3])), request[4]);
        } catch (Throwable thrown) {
            Throwable root = thrown;
            while (root.getCause() != null) {
                root = root.getCause();
            }
            OUT.println("FAILED " + root.getClass().getSimpleName() + ": " + String.valueOf(root.getMessage()).replaceAll("\\s+", " "));
            return;
        }
        rows.forEach(OUT::println);
        OUT.println("END");
    }

    private static List<String> read(Table table, String columns) throws Exception {
        RowType type = table.rowType();
        ReadBuilder builder = table.newReadBuilder();
        if (!columns.isEmpty()) {
            int[] selected = new int[columns.split(",").length];
            for (int i = 0; i < selected.length; i++) {
                selected[i] = type.getFieldIndex(columns.split(",")[i]);
            }
            builder = builder.withProjection(selected);
            type = type.project(selected);
        }
        List<DataField> fields = type.getFields();
        List<InternalRow.FieldGetter> getters = new ArrayList<>();
        for (int i = 0; i < fields.size(); i++) {
            getters.add(InternalRow.createFieldGetter(fields.get(i).type(), i));
        }
        List<String> rows = new ArrayList<>();
        try (RecordReader<InternalRow> reader = builder.newRead().createReader(builder.newScan().plan())) {
            reader.forEachRemaining(
                    row -> {
                        StringBuilder json = new StringBuilder("{");
                        for (int i = 0; i < fields.size(); i++) {
                            json.append(i == 0 ? "" : ",").append(quoted(fields.get(i).name())).append(":");
                            json.append(json(getters.get(i).getFieldOrNull(row), fields.get(i).type()));
                        }
                        rows.add(json.append("}").toString());
                    });
        }
        return rows;
    }

    /** A value as the provider's functions write it. A mask may have left one that is not of the column's type. */
    private static String json(Object value, DataType type) {
        if (value == null) {
            return "null";
        }
        switch (type.getTypeRoot()) {
            case DATE:
                return value instanceof Integer ? quoted(LocalDate.ofEpochDay((Integer) value).toString()) : quoted(value.toString());
            case TIME_WITHOUT_TIME_ZONE:
                // A mask may make times that there are not.
                int millis = (Integer) value;
                return millis < 0 ? String.valueOf(millis) : quoted(seconds(LocalTime.ofNanoOfDay(millis * 1_000_000L).toString(), 5));
            case TIMESTAMP_WITHOUT_TIME_ZONE:
                return quoted(timestamp((Timestamp) value));
            case TIMESTAMP_WITH_LOCAL_TIME_ZONE:
                return quoted(timestamp((Timestamp) value) + "Z");
            case BINARY:
            case VARBINARY:
                return quoted(Base64.getEncoder().encodeToString((byte[]) value));
            case ARRAY:
                InternalArray array = (InternalArray) value;
                DataType element = ((ArrayType) type).getElementType();
                InternalArray.ElementGetter getter = InternalArray.createElementGetter(element);
                StringBuilder json = new StringBuilder("[");
                for (int i = 0; i < array.size(); i++) {
                    json.append(i == 0 ? "" : ",").append(json(getter.getElementOrNull(array, i), element));
                }
                return json.append("]").toString();
            case BOOLEAN:
            case TINYINT:
            case SMALLINT:
            case INTEGER:
            case BIGINT:
            case FLOAT:
            case DOUBLE:
                return value instanceof Number || value instanceof Boolean ? value.toString() : quoted(value.toString());
            default:
                return quoted(value.toString());
        }
    }

    private static String timestamp(Timestamp value) {
        LocalDateTime time = value.toLocalDateTime();
        return seconds(time.toString(), 16);
    }

    /** Java leaves seconds out where they are zero, and writes fractions in groups of three digits. */
    private static String seconds(String text, int withoutSeconds) {
        if (text.length() == withoutSeconds) {
            return text + ":00";
        }
        return text.indexOf('.') < 0 ? text : text.replaceAll("0+$", "");
    }

    private static String quoted(String text) {
        StringBuilder json = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ') {
                json.append(String.format("\\u%04x", (int) c));
            } else {
                json.append(c);
            }
        }
        return json.append('"').toString();
    }
}
