import typer
from typer.testing import CliRunner

from caveman_app import lazy


def made(loads):
    def load():
        loads.append("loaded")
        part = typer.Typer()
        part.command()(lambda: typer.echo("ran"))
        return lazy.pick(part)

    app = typer.Typer(cls=lazy.group([lazy.Row("part", "What it is for.", load)]), rich_markup_mode=None)
    app.callback()(lambda: None)
    return app


def test_help_names_a_part_without_loading_it():
    loads = []
    shown = CliRunner().invoke(made(loads), ["--help"])
    assert "part  What it is for." in shown.output
    assert loads == []


def test_a_part_is_loaded_when_it_runs():
    loads = []
    assert CliRunner().invoke(made(loads), ["part"]).output == "ran\n"
    assert loads == ["loaded"]


def test_a_typo_names_the_nearest_and_loads_nothing():
    loads = []
    shown = CliRunner().invoke(made(loads), ["prt"])
    assert shown.exit_code == 2
    assert "Did you mean 'part'?" in shown.output
    assert loads == []
