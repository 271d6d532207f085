/// <reference types="vite/types/importMeta.d.ts" />
import { declaredMethods } from '@cleveragents/jsonrpc';
import { describe, expect, it } from 'vitest';
import { read, specFiles } from './source-tree.js';

const sources = import.meta.glob<object>(['../../libs/*/src/**/*.rpc.ts', '../../libs/*/src/**/*.module.ts'], {
  eager: true,
});

/** Handler classes as they are exported, and those that a factory makes for the providers of a module. */
function handlers(): Set<object> {
  const exported = Object.values(sources).flatMap((source) => Object.values<unknown>({ ...source }));
  const classes = exported.filter((value) => typeof value === 'function');
  const provided = classes.flatMap((module): unknown[] => Reflect.getMetadata('providers', module) ?? []);
  return new Set([...classes, ...provided.filter((value) => typeof value === 'function')]);
}

function methodNames(): string[] {
  return [...handlers()].flatMap((handler) => declaredMethods(handler).map(({ name }) => name));
}

describe('every method', () => {
  const specs = specFiles().map(read);

  it.each(methodNames())('%s is called by a test', (name) => {
    expect(specs.some((text) => text.includes(`'${name}'`))).toBe(true);
  });
});
