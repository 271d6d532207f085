import type { Schema } from './open-rpc.js';
import type { Random } from './random.js';

/** Values that mean something to the server, by the name of the member that takes them. */
export type KnownValues = Readonly<Record<string, readonly unknown[]>>;

const MAX_DEPTH = 6;

/** Makes values that a schema allows. */
export class SchemaSample {
  constructor(
    private readonly schemas: Readonly<Record<string, Schema>>,
    private readonly known: KnownValues,
    private readonly random: Random,
  ) {}

  of(schema: Schema, name = '', depth = 0): unknown {
    const resolved = this.resolve(schema);
    const known = (this.known[name] ?? []).filter((value) => fits(value, resolved));
    if (known.length > 0 && !this.random.oneIn(8)) return this.random.pick(known);
    if (resolved.const !== undefined) return resolved.const;
    if (resolved.enum !== undefined) return this.random.pick(resolved.enum);
    return this.ofType(typeOf(resolved, this.random), resolved, name, depth);
  }

  private ofType(type: string, schema: Schema, name: string, depth: number): unknown {
    switch (type) {
      case 'string':
        return textFor(schema.pattern, this.random);
      case 'integer':
      case 'number':
        return (
          (schema.minimum ?? 0) + this.random.below(Math.min(100, (schema.maximum ?? 100) - (schema.minimum ?? 0)) + 1)
        );
      case 'boolean':
        return this.random.oneIn(2);
      case 'array':
        return this.list(schema, name, depth);
      case 'object':
        return this.object(schema, depth);
      default:
        return null;
    }
  }

  private list({ items, minItems = 0 }: Schema, name: string, depth: number): unknown[] {
    const length = Math.max(minItems, this.random.below(3));
    if (items === undefined || depth > MAX_DEPTH) return [];
    return Array.from({ length }, () => this.of(items, name, depth + 1));
  }

  private object({ properties = {}, required = [] }: Schema, depth: number): object {
    const members = Object.entries(properties).filter(
      ([name]) => required.includes(name) || (depth < MAX_DEPTH && this.random.oneIn(2)),
    );
    return Object.fromEntries(members.map(([name, schema]) => [name, this.of(schema, name, depth + 1)]));
  }

  private resolve(schema: Schema): Schema {
    const name = schema.$ref?.split('/').at(-1);
    if (name !== undefined) return this.resolve(this.schemas[name] ?? {});
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices !== undefined) return this.resolve(this.random.pick(choices));
    return schema.allOf === undefined ? schema : this.resolve(schema.allOf[0] ?? {});
  }
}

const JSON_TYPES = ['string', 'integer', 'boolean', 'object', 'array', 'null'] as const;

function typeOf({ type, properties }: Schema, random: Random): string {
  if (typeof type === 'string') return type;
  if (type !== undefined) return random.pick(type);
  return properties === undefined ? random.pick(JSON_TYPES) : 'object';
}

function fits(value: unknown, { type, enum: values }: Schema): boolean {
  if (values !== undefined) return values.includes(value);
  const types = typeof type === 'string' ? [type] : type;
  return types === undefined || types.includes(Array.isArray(value) ? 'array' : typeof value);
}

const WORDS = ['a', 'main', 'local/thing', 'two words', '2026-01-01T00:00:00Z', 'größer'] as const;

function textFor(pattern: string | undefined, random: Random): string {
  return pattern?.startsWith('^sha256:') ? `sha256:${'0'.repeat(64)}` : random.pick(WORDS);
}
