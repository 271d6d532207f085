import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { CallRouter } from './call-route.js';
import { DeprecatedCalls } from './deprecated-calls.js';
import { Dispatcher } from './dispatcher.js';
import { JsonRpcRegistry } from './json-rpc-registry.js';

@Module({
  imports: [DiscoveryModule],
  providers: [JsonRpcRegistry, CallRouter, DeprecatedCalls, Dispatcher],
  exports: [JsonRpcRegistry, DeprecatedCalls, Dispatcher],
})
export class JsonRpcModule {}
