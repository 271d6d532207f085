/**
 * Rows on their way into one statement, a parameter per column. Text columns travel as ONE string split by PostgreSQL
 * (`string_to_array`), which costs a fraction of an array literal that must be quoted and parsed. JSON text never holds a
 * raw control character, so U+001F separates safely; other text is refused here if it does, else columns would shift.
 */

export type ColumnType = 'uuid' | 'int' | 'time' | 'text' | 'optional';

const SEPARATOR = '\u001f';
/** Stands for NULL in an `optional` column, and keeps a column of one empty value from becoming zero rows. */
const ABSENT = '\u001e';

const SQL_TYPE = { uuid: 'uuid[]', int: 'int[]', time: 'timestamptz[]' } as const;

export class UnstorableTextError extends Error {
  constructor(column: string) {
    super(`The value for column ${column} contains a control character`);
    this.name = 'UnstorableTextError';
  }
}

export type ColumnValue = string | number | null;

export class ColumnSet<Name extends string> {
  private readonly names: readonly Name[];
  private readonly values: ColumnValue[][];
  size = 0;

  constructor(private readonly columns: Readonly<Record<Name, ColumnType>>) {
    this.names = Object.keys(columns) as Name[];
    this.values = this.names.map(() => []);
  }

  add(row: Readonly<Record<Name, ColumnValue>>): void {
    for (let index = 0; index < this.names.length; index += 1) {
      const name = this.names[index] as Name;
      this.values[index]?.push(storable(name, this.columns[name], row[name]));
    }
    this.size += 1;
  }

  parameters(): string[] {
    return this.values.map((values, index) => {
      const type = this.columns[this.names[index] as Name];
      return type === 'text' || type === 'optional' ? values.join(SEPARATOR) : `{${values.join(',')}}`;
    });
  }

  /** `unnest(…) AS r(…)` over parameters that start at `$first`. Estimated at ten rows, so plans stay on indexes. */
  from(first: number): string {
    const arrays = this.names.map((name, index) => {
      const type = this.columns[name];
      const parameter = `$${first + index}`;
      return type === 'text' || type === 'optional'
        ? `string_to_array(${parameter}, E'\\x1f')`
        : `${parameter}::${SQL_TYPE[type as keyof typeof SQL_TYPE]}`;
    });
    return `unnest(${arrays.join(', ')}) AS r(${this.names.join(', ')})`;
  }

  /** The select list that turns the transported values into column values. */
  select(): string {
    return this.names
      .map((name) => (this.columns[name] === 'optional' ? `nullif(r.${name}, E'\\x1e')` : `r.${name}`))
      .join(', ');
  }

  list(): string {
    return this.names.join(', ');
  }
}

function storable(name: string, type: ColumnType, value: ColumnValue): ColumnValue {
  if (type !== 'text' && type !== 'optional') return value;
  if (value === null || value === '') return type === 'optional' ? ABSENT : value;
  if (typeof value === 'string' && (value.includes(SEPARATOR) || value.includes(ABSENT) || value.includes('\0'))) {
    throw new UnstorableTextError(name);
  }
  return value;
}
