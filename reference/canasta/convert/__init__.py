"""From the files of other programs to records: :func:`canasta.convert.neutral.convert`."""
