import type { Type } from '@nestjs/common';
import { type CallContext, JsonRpcHandler, JsonRpcMethod } from '@cleveragents/jsonrpc';
import { EntityListView, EntityView } from './dto/entity.view.js';
import { addCallOf, type AddEntityCall, listCallOf, type ListEntitiesCall } from './dto/registry-call.params.js';
import { ShowEntityParams } from './dto/show-entity.params.js';
import type { EntityRow } from './kind/entity-catalogue.js';
import { RegistryService } from './registry.service.js';

/**
 * The JSON-RPC methods of one kind of entity: `_cleveragents/registry/<kind>/<verb>`. Reading asks for no role here,
 * because built-in and public entities are there for everybody; what else a caller may see, the service knows.
 */
export function registryRpcFor({ kind, add, filter, listAliases }: EntityRow): Type<object> {
  const words = kind.replaceAll('_', ' ');
  const method = (verb: string) => `_cleveragents/registry/${kind}/${verb}`;

  @JsonRpcHandler({ tag: `registry/${kind}` })
  class RegistryRpc {
    constructor(private readonly registry: RegistryService) {}

    @JsonRpcMethod(method('add'), {
      summary: `Registers a new ${words}`,
      params: addCallOf(add),
      result: EntityView,
      access: 'maintainer',
    })
    add(params: AddEntityCall, call: CallContext): Promise<EntityView> {
      return this.registry.add(kind, { ...params }, call, call.idempotencyKey);
    }

    @JsonRpcMethod(method('show'), {
      summary: `Shows one ${words}`,
      params: ShowEntityParams,
      result: EntityView,
      access: 'authenticated',
    })
    show(params: ShowEntityParams, call: CallContext): Promise<EntityView> {
      return this.registry.show(kind, params, call);
    }

    @JsonRpcMethod(method('list'), {
      summary: `Lists what the caller may see of the kind ${words}`,
      params: listCallOf(add, filter),
      result: EntityListView,
      access: 'authenticated',
      ...(listAliases === undefined ? {} : { aliases: listAliases }),
    })
    list(params: ListEntitiesCall, call: CallContext): Promise<EntityListView> {
      return this.registry.list(kind, params, call);
    }
  }

  return RegistryRpc;
}
