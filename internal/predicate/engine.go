package predicate

import "slices"

// Engine is a released reader of Paimon tables.
type Engine string

// The engines. java is Paimon's own reader, as in Flink and Spark.
const (
	EngineJava14     Engine = "java-1.4"
	EngineJava20     Engine = "java-2.0"
	EngineJava21     Engine = "java-2.1"
	EnginePyPaimon20 Engine = "pypaimon-2.0"
	EnginePyPaimon21 Engine = "pypaimon-2.1"
	EngineRust04     Engine = "rust-0.4"
	EngineCpp        Engine = "cpp"
)

// Engines are all engines, in the order remarks name them.
func Engines() []Engine {
	engines := make([]Engine, len(releases))
	for i, r := range releases {
		engines[i] = r.engine
	}
	return engines
}

// DefaultEngines are the engines to assume where nobody says which are in use:
// the newest of each family that was seen to enforce policies.
func DefaultEngines() []Engine { return []Engine{EngineJava20, EnginePyPaimon21} }

// Verdict is what an engine does that the policy does not mean. Worse ones are
// smaller.
type Verdict uint8

const (
	// Opens lets rows or raw values through.
	Opens Verdict = iota
	// Refuses fails the read.
	Refuses
	// Differs gives other rows or values.
	Differs
)

// Remark is what an engine makes of one place of a policy. The finding says
// what is there and what to write instead. It is an error where the policies
// alone show that the engine fails open; everything else is a warning.
type Remark struct {
	Finding
	Engine  Engine
	Verdict Verdict
	// Reason is what the engine does there.
	Reason string
}

// CheckEngines is what the engines do with a row filter, engine by engine. It
// believes the types of columns, so give it a predicate that is bound.
func CheckEngines(p Predicate, engines []Engine) []Remark {
	return judge(surveyPredicate(p), engines)
}

// CheckMask is what the engines do with a bound transform as the mask of a
// column, see [CheckEngines].
func CheckMask(t Transform, onColumn string, engines []Engine) []Remark {
	return judge(surveyMask(t, onColumn), engines)
}

// Mask is a bound transform with the column that it masks.
type Mask struct {
	Column    string
	Transform Transform
}

// CheckMasks is what the engines do with the masks of one table and principal
// because there is more than one: a mask that reads another masked column.
// What they do with each by itself is told by [CheckMask].
func CheckMasks(masks []Mask, engines []Engine) []Remark {
	return judge(surveyMasks(masks), engines)
}

func judge(sights []sight, engines []Engine) []Remark {
	var remarks []Remark
	for _, r := range releases {
		if slices.Contains(engines, r.engine) {
			remarks = append(remarks, r.judge(sights)...)
		}
	}
	return remarks
}

func (r release) judge(sights []sight) []Remark {
	var remarks []Remark
	for _, s := range sights {
		i := slices.IndexFunc(facts, func(f fact) bool { return f.tells(r, s) })
		if i < 0 {
			continue
		}
		f := facts[i]
		if f.certain {
			s.Severity = Error
		}
		remarks = append(remarks, Remark{Finding: s.Finding, Engine: r.engine, Verdict: f.verdict, Reason: f.reason})
	}
	return remarks
}

// tells reports whether the fact is about this reader and sight. Only a reader
// that knows the name at a place comes to do anything else with it than not
// knowing it.
func (f fact) tells(r release, s sight) bool {
	return f.code == s.Code && f.family == r.family && (f.only == "" || f.only == r.engine) && (f.before == 0 || r.transforms < f.before) &&
		r.knows(s.name) != (s.Code == CodeNewer)
}

// knows reports whether the reader has a function or transform of the name.
func (r release) knows(name string) bool {
	return functions[name].since <= r.functions && transforms[name].since <= r.transforms && !slices.Contains(r.lacks, name)
}
