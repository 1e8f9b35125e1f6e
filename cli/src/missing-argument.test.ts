import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Command } from 'commander'
import { needOf } from './missing-argument.ts'
import { COMMANDS } from './program.ts'
import { capturedIo } from './testing/captured-io.ts'
import { echelon } from './testing/run-command.ts'

/** A command and its subcommands. */
const withParts = (command: Command): Command[] => [command, ...command.commands.flatMap(withParts)]

const needsArguments = (command: Command): boolean =>
  command.registeredArguments.some(({ required }) => required)

test('each command that needs an argument has an example', async () => {
  const program = new Command('echelon')
  for (const load of Object.values(COMMANDS))
    program.addCommand(await load(capturedIo(), () => undefined))
  const needy = withParts(program).filter(needsArguments)
  assert.ok(needy.length > 15)
  assert.deepEqual(
    needy.filter((command) => needOf(command) === undefined).map((command) => command.name()),
    [],
  )
})

for (const [args, said] of [
  [['decide'], 'decide needs a task, such as\n  echelon decide "What is 15 * 23?"'],
  [['decide', ' '], 'decide needs a task, such as\n  echelon decide "What is 15 * 23?"'],
  [['runs', 'show'], 'runs show needs a run, such as\n  echelon runs show last'],
  [['runs', 'show', ''], 'runs show needs a run, such as\n  echelon runs show last'],
  [
    ['runs', 'answer', 'last'],
    'runs answer needs a run and a reply, such as\n  echelon runs answer last once',
  ],
  [
    ['runs', 'fork', 'last'],
    'runs fork needs a run and the step to leave it at, such as\n  echelon runs fork last --at 2',
  ],
  [['replay', ''], 'replay needs a recording, such as\n  echelon replay run.jsonl'],
  [
    ['knowledge', 'add', '--json'],
    'knowledge add needs files or folders, such as\n  echelon knowledge add docs',
  ],
] as const) {
  test(`${['echelon', ...args].join(' ')} says what it needs, with an example`, async (t) => {
    const { status, stdout, stderr } = await echelon(t, ...args)
    assert.deepEqual(
      { status, stdout, stderr },
      { status: 2, stdout: '', stderr: `echelon: ${said}\n` },
    )
  })
}
