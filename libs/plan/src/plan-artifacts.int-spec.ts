import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NOTE, PlanScene, member, type Example } from '../../../test/support/plan-scene.js';

let scene: PlanScene;

beforeAll(async () => {
  scene = await PlanScene.open();
});

afterAll(async () => {
  await scene.close();
});

async function executed(example: Example): Promise<string> {
  const plan_id = await scene.use(example, { automation_profile: 'auto' });
  expect(await scene.atRest(plan_id)).toMatchObject({ status: 'execute/complete' });
  return plan_id;
}

const CHANGELOG = `# Changelog\n\n- ${NOTE}\n`;

describe('plan/artifacts', () => {
  let example: Example;
  let plan_id: string;

  beforeAll(async () => {
    example = await scene.example();
    plan_id = await executed(example);
  });

  it('lists one entry for each changed file', async () => {
    const result = await scene.ok('_cleveragents/plan/artifacts', { plan_id });
    const size = Buffer.byteLength(CHANGELOG);
    expect(result).toMatchObject({
      plan_id,
      status: 'execute/complete',
      artifacts: [
        {
          path: 'CHANGELOG.md',
          type: 'write',
          size: `${size} B`,
          size_bytes: size,
          change: '+3 -0',
          child_plan: null,
          sha256: createHash('sha256').update(CHANGELOG).digest('hex'),
          resource: `${example.namespace}/repo`,
        },
        { path: 'src/greet.js', type: 'edit', change: '+1 -1' },
        { path: 'test/greet.test.js', type: 'edit', change: '+1 -1' },
      ],
      summary: { total: 3, writes: 1, edits: 2, deletes: 0 },
      by_plan: { root: 3 },
      validation_summary: { required_passed: 1, required_failed: 0, informational_failed: 0 },
      apply_summary: null,
      warnings: [],
    });
    expect(result).not.toHaveProperty('content');
  });

  it('shows what one file holds', async () => {
    const result = await scene.ok('_cleveragents/plan/artifacts', { plan_id, path: 'CHANGELOG.md' });
    expect(result).toMatchObject({ artifacts: [{ path: 'CHANGELOG.md' }], content: CHANGELOG, summary: { total: 3 } });
  });

  it('does not know a file that the plan did not change, nor one outside the repository', async () => {
    for (const path of ['README.md', '../secret', '/etc/passwd']) {
      const error = await scene.refused('_cleveragents/plan/artifacts', { plan_id, path });
      expect(error).toMatchObject({ code: -32001, data: { kind: 'artifact', path } });
    }
  });

  it('is for those who may see the plan', async () => {
    const viewer = member('viewer', { [example.namespace]: 'viewer' });
    const stranger = member('stranger', { elsewhere: 'viewer' });
    expect(await scene.ok('_cleveragents/plan/artifacts', { plan_id }, viewer)).toMatchObject({ plan_id });
    expect(await scene.refused('_cleveragents/plan/artifacts', { plan_id }, stranger)).toMatchObject({ code: -32001 });
  });

  it('answers the same once the plan is applied, and to which commit', async () => {
    const before = await scene.ok('_cleveragents/plan/artifacts', { plan_id });
    await scene.ok('_cleveragents/plan/apply', { plan_id });
    const after = await scene.ok('_cleveragents/plan/artifacts', { plan_id, path: 'CHANGELOG.md' });
    expect(after['summary']).toEqual(before['summary']);
    const commit = example.repository.head('main');
    expect(after).toMatchObject({ content: CHANGELOG, apply_summary: { commits: [{ branch: 'main', commit }] } });
  });
});

describe('plan/artifacts of', () => {
  it('a plan that has not been executed says so', async () => {
    const plan_id = await scene.use(await scene.example({ automation_profile: 'manual' }));
    expect(await scene.ok('_cleveragents/plan/artifacts', { plan_id })).toMatchObject({
      artifacts: [],
      summary: { total: 0, total_size: 0 },
      warnings: ['Nothing has been carried out yet'],
    });
  });

  it('a file that is no text gives it in base64, and a deleted one has none', async () => {
    const steps = [
      { id: 'move', tool: 'builtin/move_file', inputs: { from: 'logo.bin', to: 'art/logo.bin' } },
      { id: 'edit', tool: 'builtin/delete_file', inputs: { path: 'README.md' } },
    ];
    const files = { 'logo.bin': 'a\0b', 'README.md': '# gone soon\n' };
    const example = await scene.example({ files, actor: { type: 'tool', steps }, validation: null });
    const plan_id = await executed(example);
    const moved = await scene.ok('_cleveragents/plan/artifacts', { plan_id, path: 'art/logo.bin' });
    expect(moved).toMatchObject({ content_base64: Buffer.from('a\0b').toString('base64') });
    expect(moved).not.toHaveProperty('content');
    const gone = await scene.ok('_cleveragents/plan/artifacts', { plan_id, path: 'README.md' });
    expect(gone).toMatchObject({ artifacts: [{ type: 'delete', size_bytes: 0, sha256: null }] });
    expect(gone['warnings']).toEqual(['The file is deleted: it has no content']);
  });

  it('a file above a mebibyte is refused', async () => {
    const big = 'x'.repeat(1024 * 1024 + 1);
    const steps = [{ id: 'move', tool: 'builtin/move_file', inputs: { from: 'big.txt', to: 'large.txt' } }];
    const example = await scene.example({
      files: { 'big.txt': big },
      actor: { type: 'tool', steps },
      validation: null,
    });
    const plan_id = await executed(example);
    const error = await scene.refused('_cleveragents/plan/artifacts', { plan_id, path: 'large.txt' });
    expect(error).toMatchObject({ code: -32004, data: { reason: 'FILE_TOO_LARGE' } });
  });
});
