import { describe, expect, it } from 'vitest';
import { entityDocument } from './entity-document.js';

describe('an entity that is written in parts', () => {
  it('is put together from its fields and its document', () => {
    expect(entityDocument({ name: 'a/b', config: { type: 'tool' }, idempotency_key: 'k' })).toEqual({
      name: 'a/b',
      type: 'tool',
    });
    expect(entityDocument({ name: 'a/b', config_yaml: 'type: tool' })).toEqual({ name: 'a/b', type: 'tool' });
  });

  it('has one document', () => {
    expect(() => entityDocument({ config: {}, config_yaml: 'a: 1' })).toThrow(/config_yaml must not be given/);
  });

  it('holds nothing that no document may hold', () => {
    expect(() => entityDocument({ config_yaml: 'inputs: {__proto__: {x: 1}}' })).toThrow(/inputs\.__proto__/);
  });

  it('has every field once', () => {
    expect(() => entityDocument({ name: 'a/b', config_yaml: 'name: c/d' })).toThrow(/config_yaml\.name/);
  });
});
