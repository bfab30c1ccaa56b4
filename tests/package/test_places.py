"""Where an installed service keeps its data when it is told nothing."""

import pytest

from config import places, settings
from service.kernel import own_modules


@pytest.mark.parametrize(
    "environ, folder",
    [
        ({}, "~/.local/share/wardroom"),
        ({"XDG_DATA_HOME": "/srv/some data"}, "/srv/some data/wardroom"),
        ({"XDG_DATA_HOME": "relative"}, "~/.local/share/wardroom"),
        ({"STATE_DIRECTORY": "/var/lib/wardroom", "XDG_DATA_HOME": "/srv"}, "/var/lib/wardroom"),
        ({"STATE_DIRECTORY": "/var/lib/wardroom:/var/lib/more"}, "/var/lib/wardroom"),
    ],
)
def test_installed_it_keeps_data_where_systemd_or_the_user_has_it(environ, folder):
    assert places.installed_data_dir(environ) == folder


def test_what_is_set_comes_first(tmp_path, monkeypatch):
    monkeypatch.setattr(places, "is_checkout", lambda: False)
    environ = {"STATE_DIRECTORY": str(tmp_path / "of systemd"), "WARDROOM_SECRET_KEY": "k" * 32}
    assert settings.load(environ).data_dir == tmp_path / "of systemd"
    assert settings.load({**environ, "WARDROOM_DATA_DIR": str(tmp_path)}).data_dir == tmp_path


def test_a_user_without_a_home_is_told_what_to_set(monkeypatch):
    monkeypatch.setattr(places, "is_checkout", lambda: False)
    monkeypatch.setenv("HOME", "")
    monkeypatch.delenv("HOME")
    monkeypatch.setattr("pwd.getpwuid", lambda uid: {}[uid])
    with pytest.raises(
        settings.BadSetting, match=r"^WARDROOM_DATA_DIR .* set to a directory, as this user has no home\.$"
    ):
        settings.load({})


def test_the_page_for_hosts_is_where_it_is_said_to_be():
    assert places.page("hosting.md").is_file()


# Programs of ours


def test_a_program_of_ours_is_not_looked_for_in_the_working_directory():
    command = own_modules.command("service.cli", "--help")
    assert command[1:] == ["-P", "-m", "service.cli", "--help"]


def test_what_leads_to_other_code_still_does_and_comes_first():
    found = own_modules.extended({"PYTHONPATH": "/srv/more", "HOME": "/"})
    assert found == {"PYTHONPATH": f"/srv/more:{own_modules.ROOT}", "HOME": "/"}
    assert own_modules.extended({})["PYTHONPATH"] == str(own_modules.ROOT)


def test_where_packages_are_installed_no_variable_leads_to_them(monkeypatch):
    assert own_modules.search_path() == {"PYTHONPATH": str(own_modules.ROOT)}
    monkeypatch.setattr("sysconfig.get_path", lambda name: str(own_modules.ROOT))
    assert own_modules.search_path() == {}
