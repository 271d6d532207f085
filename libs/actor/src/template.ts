import { PlanError, isJsonObject, type JsonObject, type JsonValue } from '@cleveragents/kernel';

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;
const WHOLE_PLACEHOLDER = /^\{\{([^{}]*)\}\}$/;

/**
 * Puts values in the place of `{{args.x}}`, `{{project.name}}`, `{{steps.<id>.output.<key>}}` at every depth. Only
 * look-ups: what stands between the braces is a path into `scope` and never code. A text that is one placeholder and
 * nothing else takes the value with its type. A path that leads nowhere is an error, never an empty text.
 */
export function render(template: JsonValue, scope: JsonObject): JsonValue {
  if (typeof template === 'string') return renderText(template, scope);
  if (Array.isArray(template)) return template.map((item) => render(item, scope));
  if (!isJsonObject(template)) return template;
  return renderMembers(template, scope);
}

export function renderMembers(template: JsonObject, scope: JsonObject): JsonObject {
  const members = Object.entries(template).map(([key, value]) => [key, render(value ?? null, scope)] as const);
  return Object.fromEntries(members);
}

function renderText(template: string, scope: JsonObject): JsonValue {
  const whole = WHOLE_PLACEHOLDER.exec(template);
  if (whole !== null) return lookUp(whole[1] ?? '', scope);
  return renderTemplateText(template, scope);
}

/** Like `render`, for a template whose result is a text whatever it names. */
export function renderTemplateText(template: string, scope: JsonObject): string {
  return template.replace(PLACEHOLDER, (_, path: string) => asText(lookUp(path, scope)));
}

function lookUp(path: string, scope: JsonObject): JsonValue {
  let found: JsonValue | undefined = scope;
  for (const key of path.trim().split('.')) {
    found = isJsonObject(found) && Object.hasOwn(found, key) ? found[key] : undefined;
  }
  if (found === undefined) throw unknownKey(path.trim());
  return found;
}

function asText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function unknownKey(key: string): PlanError {
  return new PlanError(
    `The template names {{${key}}}, which has no value here`,
    { key },
    { reason: 'UNKNOWN_TEMPLATE_KEY' },
  );
}
