import { namesOf, type OpenRpc } from './open-rpc.js';
import { Random } from './random.js';
import type { Scene } from './scene.js';
import { SchemaSample } from './schema-sample.js';
import type { ValidRequest } from './valid-request.js';

const VARIANTS = 6;

/** Valid requests for every method of the server under every one of its names. */
export function corpusOf(document: OpenRpc, scene: Scene, seed: number): readonly ValidRequest[] {
  const random = new Random(seed);
  const sample = new SchemaSample(document.components.schemas, scene.values, random);
  const sampled = document.methods.flatMap((method) =>
    namesOf(method).flatMap((name) =>
      Array.from({ length: VARIANTS }, (_, variant) => {
        const members = method.params.filter(({ required = false }) => required || (variant > 0 && random.oneIn(3)));
        return {
          method: name,
          params: Object.fromEntries(members.map((member) => [member.name, sample.of(member.schema, member.name)])),
        };
      }),
    ),
  );
  const documents = Array.from({ length: VARIANTS }, () => scene.requests).flat();
  return [...sampled, ...documents];
}
