import type { Artifact, TaskArtifactUpdate } from '@cleveragents/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ArtifactFold, artifactText, type ArtifactSegment } from './artifact-fold.js';
import { artifact } from './task-fold.fixture.js';

function update(id: string, texts: string[], append = false, lastChunk = false): TaskArtifactUpdate {
  return { taskId: 't', contextId: 'c', artifact: artifact(id, ...texts), append, lastChunk };
}

function foldOf(updates: readonly TaskArtifactUpdate[]): ArtifactFold {
  const fold = new ArtifactFold();
  for (const one of updates) fold.applyUpdate(one);
  return fold;
}

function restored(segments: readonly ArtifactSegment[]): ArtifactFold {
  const fold = new ArtifactFold();
  fold.restore(segments);
  return fold;
}

function artifactsOf(fold: ArtifactFold): Artifact[] {
  return JSON.parse(`[${fold.text()}]`) as Artifact[];
}

const texts = (fold: ArtifactFold) => artifactsOf(fold).map(({ parts }) => parts.map((part) => part.text).join(''));

describe('the fold of artifact events', () => {
  it('adds the parts of a piece that appends, whatever lies between', () => {
    const fold = foldOf([update('a', ['1']), update('b', ['x']), update('a', ['2', '3'], true)]);
    expect(texts(fold)).toEqual(['123', 'x']);
  });

  it('creates an artifact when the first piece already appends', () => {
    expect(texts(foldOf([update('a', ['1'], true)]))).toEqual(['1']);
  });

  it('replaces an artifact in its place when a later piece does not append', () => {
    expect(texts(foldOf([update('a', ['old']), update('b', ['x']), update('a', ['new'])]))).toEqual(['new', 'x']);
  });

  it('leaves out the flags of absent members and keeps the other members of the first piece', () => {
    const fold = new ArtifactFold();
    fold.applyUpdate({ taskId: 't', contextId: 'c', artifact: { artifactId: 'a', metadata: { k: 1 }, parts: [] } });
    expect(artifactsOf(fold)).toEqual([{ artifactId: 'a', metadata: { k: 1 }, parts: [] }]);
    expect(fold.isSealed('a')).toBe(false);
  });

  it('knows that the last chunk was announced, until the artifact is replaced', () => {
    const fold = foldOf([update('a', ['1'], false, true)]);
    expect(fold.isSealed('a')).toBe(true);
    expect(fold.isSealed('unknown')).toBe(false);
    fold.applyUpdate(update('a', ['2']));
    expect(fold.isSealed('a')).toBe(false);
  });
});

describe('the stored pieces', () => {
  it('hold each part once', () => {
    const fold = foldOf([update('a', ['1']), update('a', ['2'], true)]);
    expect(fold.takeSegments()).toEqual([{ mode: 'new', body: artifactText(artifact('a', '1', '2')) }]);
    expect(fold.takeSegments()).toEqual([]);
    fold.applyUpdate(update('a', ['3'], true, true));
    expect(fold.takeSegments()).toEqual([{ mode: 'append-last', body: artifactText(artifact('a', '3')) }]);
  });

  it('say that an artifact replaces one only if that is stored', () => {
    const fold = foldOf([update('a', ['1']), update('a', ['2'])]);
    expect(fold.takeSegments().map(({ mode }) => mode)).toEqual(['new']);
    fold.applyUpdate(update('a', ['3']));
    fold.applyUpdate(update('a', ['4']));
    expect(fold.takeSegments().map(({ mode }) => mode)).toEqual(['replace']);
  });

  it('tell of a last chunk without parts', () => {
    const fold = foldOf([update('a', ['1'])]);
    const segments = fold.takeSegments();
    fold.applyUpdate(update('a', [], true, true));
    const again = restored([...segments, ...fold.takeSegments()]);
    expect(again.isSealed('a')).toBe(true);
    expect(texts(again)).toEqual(['1']);
  });

  it('hold texts that no database text may hold only as escapes', () => {
    const fold = foldOf([update('a', ['nul \0, unit \u001F, lone \uD800'])]);
    const [segment] = fold.takeSegments();
    expect(segment?.body).toContain(String.raw`nul \u0000, unit \u001f, lone \ud800`);
    expect(texts(fold)).toEqual(['nul \0, unit \u001F, lone \uD800']);
  });
});

const ANY_UPDATE = fc
  .tuple(fc.constantFrom('a', 'b', 'c'), fc.array(fc.string(), { maxLength: 3 }), fc.boolean(), fc.boolean())
  .map(([id, parts, append, last]) => update(id, parts, append, last));

describe('a fold that was stored on the way', () => {
  it('ends like one that was not, wherever it was stored and by whom it is gone on with', () => {
    const steps = fc.array(fc.tuple(ANY_UPDATE, fc.boolean(), fc.boolean()), { maxLength: 30 });
    fc.assert(
      fc.property(steps, (all) => {
        const straight = new ArtifactFold();
        let current = new ArtifactFold();
        const segments: ArtifactSegment[] = [];
        for (const [next, isStored, isReopened] of all) {
          straight.applyUpdate(next);
          current.applyUpdate(next);
          if (isStored) segments.push(...current.takeSegments());
          if (isStored && isReopened) current = restored(segments);
        }
        segments.push(...current.takeSegments());
        for (const fold of [current, restored(segments)]) {
          expect(fold.text()).toBe(straight.text());
          for (const id of ['a', 'b', 'c']) expect(fold.isSealed(id)).toBe(straight.isSealed(id));
        }
      }),
    );
  });

  it('stores and gives out ten thousand chunks in linear work', () => {
    const fold = new ArtifactFold();
    const segments: ArtifactSegment[] = [];
    for (let index = 0; index < 10_000; index += 1) {
      fold.applyUpdate(update('a', [`${index} `], index > 0));
      if (index % 200 === 199) segments.push(...fold.takeSegments());
    }
    const written = segments.reduce((sum, { body }) => sum + (JSON.parse(body) as Artifact).parts.length, 0);
    expect(written).toBe(10_000);
    expect(restored(segments).text()).toBe(fold.text());
  });
});
