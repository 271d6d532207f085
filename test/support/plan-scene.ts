import type { TestingModule } from '@nestjs/testing';
import { LOCAL_OWNER } from '@cleveragents/auth';
import { TransactionManager } from '@cleveragents/database';
import { Dispatcher, FailedCall, JsonRpcModule, toErrorAnswer } from '@cleveragents/jsonrpc';
import { newUlid, type JsonObject, type Principal, type Role } from '@cleveragents/kernel';
import { createLogger, LoggingModule } from '@cleveragents/observability';
import { PlanModule } from '@cleveragents/plan';
import { TaskWatcher } from '@cleveragents/task';
import { SampleRepository, TestDatabase } from '@cleveragents/testing';
import { firstValueFrom, toArray } from 'rxjs';

export interface SceneError {
  readonly code: number;
  readonly message: string;
  readonly data: JsonObject;
}

export interface SceneAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { result: JsonObject } | { error: SceneError };
}

export interface SceneOptions {
  readonly variables?: Readonly<Record<string, string>>;
}

/** The actor of the documentation's worked example. */
export const EXCLAIM_ACTOR: JsonObject = {
  type: 'tool',
  strategies: [
    {
      id: 'edit-in-place',
      title: 'Edit the greeting and its test',
      when: { exists: 'src/greet.js' },
      confidence: 0.95,
      steps: ['bump-source', 'bump-test', 'changelog'],
    },
    { id: 'new-module', title: 'Add a second greeting module', steps: ['write-module'] },
  ],
  steps: [
    {
      id: 'bump-source',
      tool: 'builtin/edit_file',
      inputs: { path: 'src/greet.js', find: "'Hello, ' + name", replace: "'Hello, ' + name + '!'" },
    },
    {
      id: 'bump-test',
      tool: 'builtin/edit_file',
      inputs: { path: 'test/greet.test.js', find: "'Hello, Ada'", replace: "'Hello, Ada!'" },
    },
    {
      id: 'changelog',
      tool: 'builtin/write_file',
      inputs: { path: 'CHANGELOG.md', content: '# Changelog\n\n- {{args.note}}\n' },
      when: { not: { exists: 'CHANGELOG.md' } },
    },
    {
      id: 'write-module',
      tool: 'builtin/write_file',
      inputs: { path: 'src/greet-loud.js', content: 'export const loud = (name) => `HELLO, ${name}`;\n' },
    },
  ],
};

export const NOTE = 'greeting now ends with an exclamation mark';

/** Plans on a real repository and a real database, called as a client calls them. */
export class PlanScene {
  private constructor(
    readonly database: TestDatabase,
    private running: TestingModule,
  ) {}

  static async open({ variables = {} }: SceneOptions = {}): Promise<PlanScene> {
    const database = await TestDatabase.create();
    return new PlanScene(database, await start(database, variables));
  }

  /** Another server on the same data; the one that opened the scene drops it. */
  async join(variables: Readonly<Record<string, string>> = {}): Promise<PlanScene> {
    return new PlanScene(this.database, await start(this.database, variables));
  }

  get module(): TestingModule {
    return this.running;
  }

  async close(): Promise<void> {
    await this.stop();
    await this.database.drop();
  }

  async stop(): Promise<void> {
    await this.running.close();
  }

  /** Ends the server and starts another one on the same data. */
  async restart(variables: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.running.close();
    this.running = await start(this.database, variables);
  }

  /** Calls a method and answers its result; an error answer fails the test. */
  async ok(method: string, params: JsonObject, as: Principal = LOCAL_OWNER): Promise<JsonObject> {
    const answer = await this.call(method, params, as);
    if ('error' in answer) throw new Error(`${method}: ${JSON.stringify(answer.error)}`);
    return answer.result;
  }

  /** Calls a method that must answer an error. */
  async refused(method: string, params: JsonObject, as: Principal = LOCAL_OWNER): Promise<SceneError> {
    const answer = await this.call(method, params, as);
    if ('result' in answer) throw new Error(`${method} was not refused: ${JSON.stringify(answer.result)}`);
    return answer.error;
  }

  async call(
    method: string,
    params: JsonObject,
    as: Principal = LOCAL_OWNER,
  ): Promise<{ result: JsonObject } | { error: SceneError }> {
    return (await this.answer(method, params, as)).body;
  }

  /** The same with the headers that the answer would have. */
  async answer(method: string, params: JsonObject, as: Principal = LOCAL_OWNER): Promise<SceneAnswer> {
    const request = { jsonrpc: '2.0', id: 1, method, params };
    try {
      const outcome = await this.running.get(Dispatcher).dispatch(request, { ...CALLER, identity: as });
      if (outcome.kind !== 'single') throw new Error(`${method} did not answer once`);
      return { headers: outcome.headers, body: JSON.parse(outcome.body) as { result: JsonObject } };
    } catch (error) {
      if (!(error instanceof FailedCall)) throw error;
      const { headers, body } = toErrorAnswer(error);
      return { headers, body: JSON.parse(body) as { error: SceneError } };
    }
  }

  /** Every result of a stream, once it has ended. */
  async stream(method: string, params: JsonObject, as: Principal = LOCAL_OWNER): Promise<JsonObject[]> {
    const body = { jsonrpc: '2.0', id: 1, method, params };
    const outcome = await this.running.get(Dispatcher).dispatch(body, { ...CALLER, identity: as });
    if (outcome.kind !== 'stream') throw new Error(`${method} answered no stream`);
    const elements = await firstValueFrom(outcome.events.pipe(toArray()));
    return elements.flatMap(({ texts }) => texts.map((text) => (JSON.parse(text) as { result: JsonObject }).result));
  }

  /** A repository with a project, an actor and an action of their own namespace, as in the worked example. */
  async example(changes: ExampleChanges = {}): Promise<Example> {
    const namespace = `ns${newUlid().toLowerCase()}`;
    const repository = SampleRepository.create(changes.files);
    const name = (short: string): string => `${namespace}/${short}`;
    await this.ok('_cleveragents/registry/resource/add', {
      name: name('repo'),
      type: 'git-checkout',
      properties: { path: repository.path, branch: 'main' },
    });
    const { automation_profile } = changes;
    const profile = automation_profile === undefined ? {} : { automation_profile };
    await this.ok('_cleveragents/registry/project/add', { name: name('api'), resources: [name('repo')], ...profile });
    await this.ok('_cleveragents/registry/actor/add', { name: name('exclaim'), ...(changes.actor ?? EXCLAIM_ACTOR) });
    if (changes.validation !== null) {
      await this.ok('_cleveragents/registry/validation/add', {
        name: name('tests'),
        mode: 'required',
        implementation: { kind: 'command', argv: changes.validation ?? ['node', '--test'] },
        attachments: [{ project: name('api') }],
      });
    }
    await this.ok('_cleveragents/registry/action/add', {
      name: name('exclaim'),
      description: 'End the greeting with an exclamation mark',
      definition_of_done: '- greeting changed\n- test updated\n- changelog written',
      strategy_actor: name('exclaim'),
      execution_actor: name('exclaim'),
      arguments: [{ name: 'note', type: 'string', required: true }],
      ...changes.action,
    });
    return { namespace, repository, project: name('api'), action: name('exclaim') };
  }

  /** Starts a plan of the example and answers its id. */
  async use(example: Example, params: JsonObject = {}, as: Principal = LOCAL_OWNER): Promise<string> {
    const plan = await this.ok(
      '_cleveragents/plan/use',
      { action_name: example.action, project_names: [example.project], arguments: { note: NOTE }, ...params },
      as,
    );
    return textOf(plan, 'plan_id');
  }

  /** Status of the plan once it waits for a person or is over. */
  async atRest(planId: string): Promise<JsonObject> {
    const watcher = this.running.get(TaskWatcher, { strict: false });
    for (;;) {
      const [row] = await this.query('SELECT task_id, task_state FROM plan WHERE id = $1', [planId]);
      const { task_id, task_state } = row ?? {};
      if (typeof task_id !== 'string') throw new Error('A plan has a task');
      const isOpen = task_state === 'TASK_STATE_SUBMITTED' || task_state === 'TASK_STATE_WORKING';
      if (!isOpen) return this.ok('_cleveragents/plan/status', { plan_id: planId });
      // What another server does is not heard here, so the plan is looked at again.
      await watcher.untilRest(task_id, 1_000, CALLER.signal);
    }
  }

  async query(text: string, values: unknown[] = []): Promise<JsonObject[]> {
    return this.running.get(TransactionManager, { strict: false }).manager.query(text, values);
  }
}

/** A member that must be a text. */
export function textOf(object: JsonObject, key: string): string {
  const value = object[key];
  if (typeof value !== 'string') throw new Error(`${key} is no text in ${JSON.stringify(object)}`);
  return value;
}

export interface ExampleChanges {
  readonly files?: Readonly<Record<string, string>>;
  readonly actor?: JsonObject;
  readonly action?: JsonObject;
  readonly automation_profile?: string;
  /** Command of the project's validation; null = none. */
  readonly validation?: string[] | null;
}

export interface Example {
  readonly namespace: string;
  readonly repository: SampleRepository;
  readonly project: string;
  readonly action: string;
}

/** A member of a team, with these roles and no others. */
export function member(id: string, grants: Readonly<Record<string, Role>>): Principal {
  const roles = new Map(Object.entries(grants));
  return { ...LOCAL_OWNER, id, kind: 'user', isServerAdmin: false, grants: roles, personalNamespace: id };
}

const CALLER = {
  transport: 'http',
  correlationId: 'test',
  versionHeader: undefined,
  versionQuery: undefined,
  extensions: [],
  idempotencyKey: null,
  lastEventId: null,
  signal: new AbortController().signal,
} as const;

async function start(database: TestDatabase, variables: Readonly<Record<string, string>>): Promise<TestingModule> {
  const logging = LoggingModule.forRoot(createLogger({ level: 'silent', pretty: false }));
  const module = await database.module({ imports: [logging, JsonRpcModule, PlanModule] }, variables).compile();
  return module.init();
}
