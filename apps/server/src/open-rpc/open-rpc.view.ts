import { IsArray, IsObject, IsString } from 'class-validator';
import type { OpenRpcDocument } from '@cleveragents/jsonrpc';

/** An OpenRPC document. */
export class OpenRpcView implements OpenRpcDocument {
  @IsString()
  openrpc: string;

  @IsObject()
  info: OpenRpcDocument['info'];

  @IsArray()
  servers: OpenRpcDocument['servers'];

  @IsArray()
  methods: OpenRpcDocument['methods'];

  @IsObject()
  components: OpenRpcDocument['components'];
}
