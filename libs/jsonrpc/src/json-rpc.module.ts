import { Module, type DynamicModule } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { CallRouter } from './call-route.js';
import { Dispatcher } from './dispatcher.js';
import { JsonRpcRegistry, REQUIRED_METHODS } from './json-rpc-registry.js';

@Module({
  imports: [DiscoveryModule],
  providers: [JsonRpcRegistry, CallRouter, Dispatcher],
  exports: [JsonRpcRegistry, Dispatcher],
})
export class JsonRpcModule {
  /** An application that must offer certain methods says so here, and does not start without them. */
  static requiring(methods: readonly string[]): DynamicModule {
    return { module: JsonRpcModule, providers: [{ provide: REQUIRED_METHODS, useValue: methods }] };
  }
}
