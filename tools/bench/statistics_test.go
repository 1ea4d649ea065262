package main

import (
	"slices"
	"testing"
	"time"
)

func TestMedian(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		values []float64
		want   float64
	}{
		{nil, 0},
		{[]float64{3}, 3},
		{[]float64{9, 1}, 5},
		{[]float64{9, 1, 2}, 2},
		{[]float64{4, 9, 1, 2}, 3},
	} {
		before := slices.Clone(test.values)
		if got := median(test.values); got != test.want {
			t.Errorf("%v: got %v, want %v", test.values, got, test.want)
		}
		if !slices.Equal(test.values, before) {
			t.Errorf("%v were sorted in place", before)
		}
	}
}

// A ratio is of what ran side by side: of two medians it would be another number.
func TestRatiosAreOfPairs(t *testing.T) {
	t.Parallel()
	a, b := seconds(1, 20, 3), seconds(1, 10, 2, 7)
	if got := ratios(a, b, wall); !slices.Equal(got, []float64{1, 2, 1.5}) {
		t.Errorf("got %v", got)
	}
	if got := ratios(a, seconds(0), wall); len(got) != 0 {
		t.Errorf("something to nothing is %v", got)
	}
}

func seconds(values ...int) series {
	var s series
	for _, v := range values {
		s = append(s, measurement{cost: cost{Wall: time.Duration(v) * time.Second}})
	}
	return s
}
