/** What a team registers before its first plan: a resource, a project, an actor without any model, a check, an action. */
export function entities(repositoryPath) {
  return [
    ['resource', { name: 'acme/api-repo', type: 'git-checkout', properties: { path: repositoryPath, branch: 'main' } }],
    ['project', { name: 'acme/api', resources: ['acme/api-repo'] }],
    ['actor', actor],
    [
      'validation',
      {
        name: 'acme/tests',
        mode: 'required',
        implementation: { kind: 'command', argv: ['node', '--test'] },
        attachments: [{ project: 'acme/api' }],
      },
    ],
    ['action', action],
  ];
}

const actor = {
  name: 'acme/exclaim',
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
      inputs: {
        path: 'src/greet-loud.js',
        content: "import { greet } from './greet.js';\n\nexport const greetLoud = (name) => greet(name) + '!';\n",
      },
    },
  ],
};

const action = {
  name: 'acme/exclaim',
  description: 'End the greeting with an exclamation mark',
  definition_of_done: '- greeting changed\n- test updated\n- changelog written',
  strategy_actor: 'acme/exclaim',
  execution_actor: 'acme/exclaim',
  arguments: [{ name: 'note', type: 'string', required: true }],
};
