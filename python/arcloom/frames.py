"""Results as arrays and data frames of other packages, numbers without copying where they allow it."""


def _columns(result):
    return getattr(result, "columns", result)


def to_numpy(result):
    """Columns by name as numpy arrays; those of numbers share the result's memory."""
    import numpy

    return {name: numpy.asarray(column) for name, column in _columns(result).items()}


def to_pandas(result):
    """A pandas data frame."""
    import pandas

    return pandas.DataFrame(to_numpy(result), copy=False)


def to_polars(result):
    """A polars data frame."""
    import polars

    arrays = to_numpy(result)
    return polars.DataFrame({name: list(array) if array.dtype == object else array for name, array in arrays.items()})
