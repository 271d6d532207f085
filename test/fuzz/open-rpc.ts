/** The members of the server's OpenRPC document that tell how its methods are called. */
export interface OpenRpc {
  readonly methods: readonly DescribedMethod[];
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export interface DescribedMethod {
  readonly name: string;
  readonly params: readonly { readonly name: string; readonly required?: boolean; readonly schema: Schema }[];
  readonly 'x-aliases'?: readonly string[];
  readonly 'x-deprecated-names'?: readonly string[];
}

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
}

export function namesOf(method: DescribedMethod): readonly string[] {
  return [method.name, ...(method['x-aliases'] ?? []), ...(method['x-deprecated-names'] ?? [])];
}
