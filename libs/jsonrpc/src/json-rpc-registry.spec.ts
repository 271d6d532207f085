import { Injectable, Scope, type Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { DiscoveryModule } from '@nestjs/core';
import { IsString } from 'class-validator';
import { describe, expect, it } from 'vitest';
import { JsonRpcHandler, JsonRpcMethod } from './decorators.js';
import { JsonRpcRegistry } from './json-rpc-registry.js';
import { NoParams } from './method-dto.js';

class View {}

class NameParams {
  @IsString() name: string;
}

class Unvalidated {
  name: string;
}

const PUBLIC = { summary: 's', params: NoParams, result: View, access: 'public' } as const;

@JsonRpcHandler({ tag: 'plan' })
class PlanRpc {
  @JsonRpcMethod('_cleveragents/plan/show', { ...PUBLIC, params: NameParams, aliases: ['plan.show'] })
  async show(params: NameParams): Promise<View> {
    return params;
  }
}

@JsonRpcHandler({ tag: 'tasks' })
class TaskRpc {
  @JsonRpcMethod('GetTask', { ...PUBLIC, operation: 'GetTask' })
  async get(): Promise<View> {
    return {};
  }
}

async function registryOf(handlers: Type<object>[]): Promise<JsonRpcRegistry> {
  const module = await Test.createTestingModule({
    imports: [DiscoveryModule],
    providers: [JsonRpcRegistry, ...handlers],
  }).compile();
  await module.init();
  return module.get(JsonRpcRegistry);
}

function handlerOf(name: string, options: object = {}): Type<object> {
  @JsonRpcHandler({ tag: 'x' })
  class Handler {
    @JsonRpcMethod(name, { ...PUBLIC, ...options })
    async run(): Promise<View> {
      return {};
    }
  }
  return Handler;
}

describe('JsonRpcRegistry', () => {
  it('finds a method by its name and every alias', async () => {
    const registry = await registryOf([PlanRpc]);
    expect(registry.find('_cleveragents/plan/show')).toMatchObject({ tag: 'plan', family: 'platform', kind: 'unary' });
    expect(registry.find('plan.show')).toBe(registry.find('_cleveragents/plan/show'));
  });

  it('registers a standard operation under its names of all generations', async () => {
    const registry = await registryOf([TaskRpc]);
    expect(registry.find('tasks/get')).toBe(registry.find('GetTask'));
    expect(registry.find('GetTask')?.family).toBe('standard');
  });

  it('lists every method once, sorted', async () => {
    const registry = await registryOf([TaskRpc, PlanRpc]);
    expect(registry.list().map(({ name }) => name)).toEqual(['GetTask', '_cleveragents/plan/show']);
  });

  it.each(['constructor', '__proto__', 'toString', ''])('does not find %j', async (name) => {
    expect((await registryOf([PlanRpc])).find(name)).toBeUndefined();
  });

  it('does not start with a name registered twice', async () => {
    await expect(registryOf([PlanRpc, handlerOf('plan.show')])).rejects.toThrow('"plan.show" is registered twice');
  });

  it.each(['', '1st', 'a//b', 'a b', '/a', 'a/'])('does not start with the name %j', async (name) => {
    await expect(registryOf([handlerOf(name)])).rejects.toThrow('is no method name');
  });

  it('does not start with params that nothing validates', async () => {
    await expect(registryOf([handlerOf('a/b', { params: Unvalidated })])).rejects.toThrow('has no validators');
  });

  it('does not start with a request-scoped handler', async () => {
    const scoped = handlerOf('a/b');
    Injectable({ scope: Scope.REQUEST })(scoped);
    await expect(registryOf([scoped])).rejects.toThrow('request-scoped');
  });

  it('names the methods that an application must offer and does not', async () => {
    const registry = await registryOf([PlanRpc]);
    expect(() => registry.require(['plan.show'])).not.toThrow();
    expect(() => registry.require(['plan.show', 'plan.use', 'plan.list'])).toThrow('answers plan.use, plan.list');
  });
});
