/**
 * Column of JSON kept as text: the database never looks inside, and the escapes of JSON.stringify keep characters that
 * PostgreSQL refuses (U+0000) harmless.
 */
export const JSON_TEXT = {
  to: (value: unknown): string | null | undefined =>
    value === undefined || value === null ? value : JSON.stringify(value),
  from: (text: string | null): unknown => (text === null ? null : JSON.parse(text)),
};
