package devcatalog

import (
	"encoding/json"
	"slices"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
	"github.com/paimon-iac/terraform-provider-paimon/internal/datatype"
	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// schemaChanges is what each action of a change does to a table in memory; the error says why Paimon would not do it.
var schemaChanges = map[string]func(*table, wire.TableChange) error{
	"setOption":                (*table).setOption,
	"removeOption":             (*table).removeOption,
	"updateComment":            (*table).updateComment,
	"addColumn":                (*table).addColumn,
	"renameColumn":             (*table).renameColumn,
	"dropColumn":               (*table).dropColumn,
	"updateColumnType":         (*table).updateColumnType,
	"updateColumnNullability":  (*table).updateColumnNullability,
	"updateColumnComment":      (*table).updateColumnComment,
	"updateColumnDefaultValue": (*table).updateColumnDefaultValue,
	"updateColumnPosition":     (*table).updateColumnPosition,
	"dropPrimaryKey":           (*table).dropPrimaryKey,
}

// apply makes one schema change in memory.
func (t *table) apply(change wire.TableChange) error {
	apply, known := schemaChanges[change.Action]
	if !known {
		return invalid("%q is not a schema change.", change.Action)
	}
	return apply(t, change)
}

func (t *table) setOption(change wire.TableChange) error {
	if access.IsBlank(change.Key) {
		return invalid("setOption needs a key.")
	}
	t.Options[change.Key] = change.Value
	return nil
}

func (t *table) removeOption(change wire.TableChange) error {
	delete(t.Options, change.Key)
	return nil
}

func (t *table) updateComment(change wire.TableChange) error {
	t.Comment = change.Comment
	return nil
}

func (t *table) addColumn(change wire.TableChange) error {
	name, err := topLevel(change.FieldNames)
	if err != nil {
		return err
	}
	if t.columnIndex(name) >= 0 {
		return existingColumn(name)
	}
	column, err := columnOf(wire.Field{Name: name, Type: change.DataType, Description: change.Comment})
	if err != nil {
		return err
	}
	if column.Type.NotNull {
		return invalid("Column %q cannot be NOT NULL: the rows that are there have no value for it.", name)
	}
	t.HighestFieldID++
	column.ID = t.HighestFieldID
	t.HighestFieldID = max(t.HighestFieldID, highestID([]datatype.Field{column}))
	t.columns = append(t.columns, column)
	if change.Move == nil {
		return nil
	}
	return t.move(wire.Move{FieldName: name, ReferenceFieldName: change.Move.ReferenceFieldName, Type: change.Move.Type})
}

func (t *table) renameColumn(change wire.TableChange) error {
	i, err := t.changed(change.FieldNames)
	if err != nil {
		return err
	}
	name := t.columns[i].Name
	switch {
	case access.IsBlank(change.NewName):
		return invalid("Column %q needs a new name.", name)
	case t.columnIndex(change.NewName) >= 0:
		return existingColumn(change.NewName)
	case slices.Contains(t.PartitionKeys, name):
		return invalid("Column %q is a partition key and cannot be renamed.", name)
	}
	if key := slices.Index(t.PrimaryKeys, name); key >= 0 {
		t.PrimaryKeys[key] = change.NewName
	}
	t.columns[i].Name = change.NewName
	return nil
}

func (t *table) dropColumn(change wire.TableChange) error {
	i, err := t.changed(change.FieldNames)
	if err != nil {
		return err
	}
	switch name := t.columns[i].Name; {
	case t.isKey(name):
		return invalid("Column %q is a key and cannot be dropped.", name)
	case len(t.columns) == 1:
		return invalid("Column %q is the last one and cannot be dropped.", name)
	}
	t.columns = slices.Delete(t.columns, i, i+1)
	return nil
}

func (t *table) updateColumnType(change wire.TableChange) error {
	i, err := t.changed(change.FieldNames)
	if err != nil {
		return err
	}
	column := &t.columns[i]
	var to datatype.Type
	if err := json.Unmarshal(change.NewDataType, &to); err != nil || to.IsZero() {
		return invalid("Column %q: %s is no type that Paimon knows.", column.Name, change.NewDataType)
	}
	if change.KeepNullability {
		to.NotNull = column.Type.NotNull
	}
	switch {
	case column.Type.Equal(to):
		return nil
	case t.isKey(column.Name):
		return invalid("Column %q is a key and keeps its type.", column.Name)
	case to.NotNull && !column.Type.NotNull:
		return notNullRefused(column.Name)
	case column.Type.Kind != to.Kind && !datatype.CanCast(column.Type, to):
		return invalid("Column %q cannot become %s: %s has no cast to it.", column.Name, to, column.Type)
	}
	column.Type = to
	return nil
}

func (t *table) updateColumnNullability(change wire.TableChange) error {
	i, err := t.changed(change.FieldNames)
	if err != nil {
		return err
	}
	column := &t.columns[i]
	switch {
	case change.NewNullability == nil:
		return invalid("updateColumnNullability needs newNullability.")
	case *change.NewNullability && slices.Contains(t.PrimaryKeys, column.Name):
		return invalid("Column %q is a primary key and stays NOT NULL.", column.Name)
	case !*change.NewNullability && !column.Type.NotNull:
		return notNullRefused(column.Name)
	}
	column.Type.NotNull = !*change.NewNullability
	return nil
}

// notNullRefused is Paimon's default: rows that are there may hold nulls.
func notNullRefused(name string) error {
	return invalid("Column %q is nullable and cannot become NOT NULL.", name)
}

func (t *table) updateColumnComment(change wire.TableChange) error {
	i, err := t.changed(change.FieldNames)
	if err != nil {
		return err
	}
	t.columns[i].Description = change.NewComment
	return nil
}

func (t *table) updateColumnDefaultValue(change wire.TableChange) error {
	i, err := t.changed(change.FieldNames)
	if err != nil {
		return err
	}
	t.columns[i].DefaultValue = change.NewDefaultValue
	return nil
}

func (t *table) updateColumnPosition(change wire.TableChange) error {
	if change.Move == nil {
		return invalid("updateColumnPosition needs move.")
	}
	return t.move(*change.Move)
}

func (t *table) move(move wire.Move) error {
	from, err := t.changed([]string{move.FieldName})
	if err != nil {
		return err
	}
	column := t.columns[from]
	rest := slices.Delete(slices.Clone(t.columns), from, from+1)
	to := 0
	switch move.Type {
	case "FIRST":
	case "LAST":
		to = len(rest)
	case "BEFORE", "AFTER":
		to = slices.IndexFunc(rest, func(c datatype.Field) bool { return c.Name == move.ReferenceFieldName })
		if to < 0 {
			return missingColumn(move.ReferenceFieldName)
		}
		if move.Type == "AFTER" {
			to++
		}
	default:
		return invalid("%q is not a move: use FIRST, LAST, BEFORE or AFTER.", move.Type)
	}
	t.columns = slices.Insert(rest, to, column)
	return nil
}

func (t *table) dropPrimaryKey(wire.TableChange) error {
	if len(t.PrimaryKeys) == 0 {
		return invalid("The table has no primary key.")
	}
	t.PrimaryKeys = []string{}
	return nil
}

// changed finds the column that a change is about.
func (t *table) changed(path []string) (int, error) {
	name, err := topLevel(path)
	if err != nil {
		return 0, err
	}
	i := t.columnIndex(name)
	if i < 0 {
		return 0, missingColumn(name)
	}
	return i, nil
}

// topLevel takes the name of a column; the insides of nested columns stay as they were created.
func topLevel(path []string) (string, error) {
	if len(path) != 1 || access.IsBlank(path[0]) {
		return "", invalid("fieldNames must name one top-level column.")
	}
	return path[0], nil
}

func (t *table) isKey(name string) bool {
	return slices.Contains(t.PrimaryKeys, name) || slices.Contains(t.PartitionKeys, name)
}
