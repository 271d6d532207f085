/**
 * Rows on their way into one statement, a parameter per column. Text columns travel as ONE string split by PostgreSQL
 * (`string_to_array`), which costs a fraction of an array literal that must be quoted and parsed. JSON text never holds a
 * raw control character, so U+001F separates safely; other text is refused here if it does, else columns would shift.
 */

export type ColumnType = 'uuid' | 'int' | 'time' | 'text' | 'optional';

const SEPARATOR = '\u001f';
/** Stands for NULL in an `optional` column. */
const ABSENT = '\u001e';

const SQL_TYPE = { uuid: 'uuid[]', int: 'int[]', time: 'timestamptz[]' } as const;

export class UnstorableTextError extends Error {
  constructor(column: string) {
    super(`The value for column ${column} is empty or contains a control character`);
    this.name = 'UnstorableTextError';
  }
}

export type ColumnValue = string | number | null;

export class ColumnSet<Name extends string> {
  private readonly columns: readonly (readonly [Name, ColumnType])[];
  private readonly values: ColumnValue[][];
  size = 0;

  constructor(types: Readonly<Record<Name, ColumnType>>) {
    this.columns = Object.entries(types) as [Name, ColumnType][];
    this.values = this.columns.map(() => []);
  }

  add(row: Readonly<Record<Name, ColumnValue>>): void {
    let index = 0;
    for (const [name, type] of this.columns) this.values[index++]?.push(storable(name, type, row[name]));
    this.size += 1;
  }

  parameters(): string[] {
    return this.columns.map(([, type], index) => {
      const values = this.values[index] ?? [];
      return type === 'text' || type === 'optional' ? values.join(SEPARATOR) : `{${values.join(',')}}`;
    });
  }

  /** `unnest(…) AS r(…)` over parameters that start at `$first`. Estimated at ten rows, so plans stay on indexes. */
  from(first: number): string {
    const arrays = this.columns.map(([, type], index) => {
      const parameter = `$${first + index}`;
      return type === 'text' || type === 'optional'
        ? `string_to_array(${parameter}, E'\\x1f')`
        : `${parameter}::${SQL_TYPE[type]}`;
    });
    return `unnest(${arrays.join(', ')}) AS r(${this.list()})`;
  }

  /** The select list that turns the transported values into column values. */
  select(): string {
    return this.columns
      .map(([name, type]) => (type === 'optional' ? `nullif(r.${name}, E'\\x1e')` : `r.${name}`))
      .join(', ');
  }

  list(): string {
    return this.columns.map(([name]) => name).join(', ');
  }
}

/** An empty text is refused too: a column of one empty value would become zero rows. */
function storable(name: string, type: ColumnType, value: ColumnValue): ColumnValue {
  if (type !== 'text' && type !== 'optional') return value;
  if (type === 'optional' && (value === null || value === '')) return ABSENT;
  if (typeof value !== 'string' || value === '' || !isSeparable(value)) throw new UnstorableTextError(name);
  return value;
}

function isSeparable(text: string): boolean {
  return !text.includes(SEPARATOR) && !text.includes(ABSENT) && !text.includes('\0');
}
