import surefield as sf


def test_errors_are_value_errors() -> None:
    assert issubclass(sf.Error, ValueError)
