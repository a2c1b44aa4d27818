"""Reads what the tools read, with Python's csv, json, decimal and sqlite3: rows, and exact sums of columns.

Claims come in as JSON lines, verdicts go out as JSON lines. The dialect (encoding, delimiter, quote, lines that are not
data) is taken from the claim; rows and figures are not.
"""
import csv
import decimal
import gzip
import io
import json
import re
import sqlite3
import sys

csv.field_size_limit(1 << 30)
decimal.getcontext().prec = 200
PLAIN = re.compile(r'^[+-]?\d+(\.\d+)?$')


def open_text(path, sniff):
    with open(path, 'rb') as file:
        raw = file.read()
    if raw[:2] == b'\x1f\x8b':
        raw = gzip.decompress(raw)
    name = (sniff.get('encoding') or {}).get('name', 'utf-8')
    text = raw.decode({'windows-1252': 'cp1252'}.get(name, name), errors='replace')
    return text.lstrip('\ufeff')


def read_delimited(path, sniff):
    shape = sniff['delimited']
    if shape.get('comment') or shape.get('escape') or (shape.get('ragged') or {}).get('records'):
        return None
    text = open_text(path, sniff)
    lines = io.StringIO(text, newline='')
    for _ in range(shape.get('preamble_lines') or 0):
        lines.readline()
    quote = shape.get('quote')
    options = {'quotechar': quote} if quote else {'quoting': csv.QUOTE_NONE}
    records = [record for record in csv.reader(lines, delimiter=shape['delimiter'], **options) if record != []]
    header = shape.get('header_records') or 0
    names = records[header - 1] if header else None
    body = records[header:len(records) - len(shape.get('footer') or [])]
    if names and shape.get('repeated_headers'):
        body = [record for record in body if record != names]
    return names, body


def read_json(path, sniff):
    text = open_text(path, sniff)
    try:
        value = json.loads(text)
        return value if isinstance(value, list) else None
    except ValueError:
        items = [json.loads(line) for line in text.splitlines() if line.strip()]
        # Several arrays in one file hold one list of items.
        return [item for part in items for item in part] if all(isinstance(item, list) for item in items) else items


def compare(claim, rows, sums):
    if str(rows) != claim['rows']:
        return 'wrong', f"{claim['rows']} rows, Python reads {rows}"
    for column, found in claim['sums'].items():
        if column not in sums:
            continue
        expected = sums[column]
        if (found is None) != (expected is None) or (found is not None and decimal.Decimal(found) != expected):
            return 'wrong', f'sum of {column} is {found}, Python adds up {expected}'
    return 'ok', f'{rows} rows, {len(set(sums) & set(claim["sums"]))} sums'


def sums_of(names, body):
    sums = {}
    for place, name in enumerate(names or []):
        if names.count(name) > 1:
            continue
        cells = [record[place].strip() for record in body if place < len(record) and record[place].strip() != '']
        if all(PLAIN.match(cell) for cell in cells):
            sums[name] = sum((decimal.Decimal(cell) for cell in cells), decimal.Decimal(0)) if cells else None
    return sums


def check_sqlite(claim):
    base = sqlite3.connect(f"file:{claim['path']}?mode=ro", uri=True)
    quoted = '"' + claim['table'].replace('"', '""') + '"'
    rows = base.execute(f'SELECT COUNT(*) FROM {quoted}').fetchone()[0]
    sums = {}
    for column in claim['sums']:
        cells = [row[0] for row in base.execute('SELECT "' + column.replace('"', '""') + f'" FROM {quoted}') if row[0] is not None]
        if all(isinstance(cell, int) for cell in cells):
            sums[column] = decimal.Decimal(sum(cells)) if cells else None
    return compare(claim, rows, sums)


def check(claim):
    if claim['kind'] == 'sqlite':
        return check_sqlite(claim)
    sniff = claim['sniff'] or {}
    kind = sniff.get('kind')
    if kind == 'delimited':
        read = read_delimited(claim['path'], sniff)
        if read is None:
            return 'not_checked', 'with comments, escapes or uneven records'
        names, body = read
        return compare(claim, len(body), sums_of(names, body))
    if kind in ('json', 'json_lines', 'jsonl', 'ndjson', 'json_array'):
        items = read_json(claim['path'], sniff)
        if items is None:
            return 'not_checked', 'with one JSON object'
        return compare(claim, len(items), {})
    return 'not_checked', f'of kind {kind}'


for line in sys.stdin:
    claim = json.loads(line)
    try:
        verdict, detail = check(claim)
    except Exception as error:  # what Python cannot read it cannot check
        verdict, detail = 'not_checked', f'that Python cannot read ({type(error).__name__})'
    print(json.dumps({'shown': claim['shown'], 'table': claim['table'], 'verdict': verdict, 'detail': detail}))
