"""Files that ship with a package, from a checkout and as a wheel lays them out."""

import sys

import pytest

from uno_env.shipped_files import file_names, named_or_path, shipped_folder


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package in a checkout: TOP/part/parted_files, with its files in TOP/configs."""
    home = tmp_path / "part" / "parted_files"
    home.mkdir(parents=True)
    (home / "__init__.py").touch()
    (tmp_path / "configs").mkdir()
    for name in ("quick", "long"):
        (tmp_path / "configs" / f"{name}.yaml").touch()
    monkeypatch.syspath_prepend(str(home.parent))
    yield home
    sys.modules.pop("parted_files", None)


def test_a_checkout_uses_the_repository_and_a_wheel_its_copy(package):
    source = package.parents[1] / "configs"
    assert shipped_folder("parted_files", "inside", "configs") == source
    (package / "inside").mkdir()
    assert shipped_folder("parted_files", "inside", "configs") == package / "inside"


def test_a_bare_word_is_a_name_and_the_rest_are_paths(package):
    folder = package.parents[1] / "configs"
    assert file_names(folder, ".yaml") == ["long", "quick"]
    assert named_or_path("quick", folder, ".yaml") == folder / "quick.yaml"
    for path in ("quick.yaml", "./quick", "some/quick"):
        assert str(named_or_path(path, folder, ".yaml")) == path.removeprefix("./")
    with pytest.raises(ValueError, match="no shipped file 'quik'; allowed: long, quick, or a path"):
        named_or_path("quik", folder, ".yaml")


def test_an_unknown_package_is_named():
    with pytest.raises(ModuleNotFoundError, match="no package no_such_package"):
        shipped_folder("no_such_package", "configs", "configs")
