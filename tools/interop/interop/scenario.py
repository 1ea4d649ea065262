"""The whole story: a new catalog, tables, Terraform, readers, other clients, and Terraform again until nothing is left."""

from __future__ import annotations

import pathlib
from collections.abc import Callable

from interop import applied, data, people, signers, strangers
from interop.cases import Case, cases, lax_cases
from interop.clients import create_and_fill
from interop.lax import hand_out
from interop.processes import Terraform, dev_catalog
from interop.readers import Reader
from interop.report import Report, same
from interop.stage import TABLES, Stage, told_apart


class Scenario:
    """One run. What it has found stays when it breaks off."""

    def __init__(
        self, readers: list[Reader], cli: str, binaries: pathlib.Path, work: pathlib.Path, say: Callable[[str], None]
    ) -> None:
        self.cases, self.lax, self.report = cases(), lax_cases(), Report()
        self.stage = Stage("", readers, self.report, cli, binaries, work)
        self._say = say

    def run(self, breakage: str | None) -> None:
        stage, say = self.stage, self._say
        with dev_catalog(stage.binaries / "devcatalog", people.seed(self.cases), stage.work, breakage) as stage.uri:
            say("pypaimon creates and fills the tables")
            create_and_fill(stage.uri, people.LOADER)
            say(f"Terraform applies the rules of {len(self.cases)} cases")
            shards, warned = applied.apply(stage, self.cases)
            say("the readers read, each as every caller")
            applied.read(stage, self.cases, warned)
            say("people of the guides")
            guided = people.guided(stage)
            say("people who sign their requests")
            signers.sign(stage)
            say("rules that no catalog should hand out")
            hand_out(stage, self.lax, "steward-token")
            say("other clients list, make and lose permissions and policies")
            self.report.section("What other clients see")
            strangers.listed(stage, [*shards, guided])
            strangers.made_by_others(stage)
            say("Terraform destroys")
            self._destroy(shards, guided)

    def _destroy(self, shards: list[Terraform], guided: Terraform) -> None:
        """First the policies of the cases on both tables, whose users may still read; then everything that is theirs."""
        stage, first = self.stage, shards[0]
        stage.report.section("After the end")
        applied.variables(first, 0, stage, {}, {})
        for process in [
            first.start("apply", "-input=false", "-auto-approve"),
            guided.start("destroy", "-input=false", "-auto-approve"),
        ]:
            Terraform.finish(process)
        for name, case in people.shards_of(self.cases)[0].items():
            for table in case.tables:
                self._every_row_again(name, case, table)
        first.destroy()
        for table in TABLES:
            for who in ("case001", "steward-token"):
                stage.see(f"{who}: nothing any more", who, table, None, lambda _: None)
        strangers.listed(stage, shards)

    def _every_row_again(self, name: str, case: Case, table: str) -> None:
        want, cells, differences = data.literals_of(table), {}, []
        for reader in self.stage.readers:
            if not reader.refuses_policies or table == data.APPEND:
                got = reader.read(self.stage.uri, name, table, None)
                cells[reader.name] = "every row" if same(got, want) else "differs"
                if not same(got, want):
                    differences.append(f"{reader.name} {reader.version}: {told_apart(got, want)}")
        self.report.add(f"no more: {case.title} [{table}]", cells, differences)
