import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { EchelonError } from 'echelon/runtime'
import { capturedIo } from '../testing/captured-io.ts'
import { fakeTerminal } from '../testing/fake-terminal.ts'
import { plainScreen } from '../testing/terminal.ts'
import type { Io } from '../io.ts'
import { withCommonCommands } from './commands.ts'
import { converse, type Face, statusOf } from './converse.ts'
import type { Ended } from './display.ts'
import { openDisplay } from './open-display.ts'

/** A face whose turn ends as the message says, and that keeps the messages. */
function echo(): Face<undefined> & { readonly said: readonly string[] } {
  const said: string[] = []
  return {
    said,
    commands: withCommonCommands<undefined>({
      shout: { takes: 'TEXT', does: 'repeat in capitals', run: (_, rest) => rest.toUpperCase() },
      refuse: { does: 'fail', run: () => refuse() },
      approve: { does: 'run a turn', turn: () => refuse() },
    }),
    context: undefined,
    history: [],
    greet: () => undefined,
    async take(text) {
      said.push(text)
      if (text === 'bad') refuse()
      return ENDS.find((end) => end === text) ?? 'answered'
    },
    redact: (text) => text.replaceAll('secret', '***'),
  }
}

const ENDS: readonly Ended[] = ['failed', 'canceled', 'waiting']

function refuse(): never {
  throw new EchelonError('INVALID_INPUT', 'the secret is wrong')
}

interface Held {
  readonly ended: Ended | undefined
  readonly said: readonly string[]
}

async function held(io: Io, message = ''): Promise<Held> {
  const face = echo()
  return { ended: await converse(io, openDisplay(io, {}), face, message), said: face.said }
}

const piped = (...lines: readonly string[]): ReturnType<typeof capturedIo> =>
  capturedIo({ input: lines.map((line) => `${line}\n`).join('') })

describe('a conversation through a pipe', () => {
  test('takes each line until the end, and returns how the last turn ended', async () => {
    assert.deepEqual(await held(piped('one', ' ', 'failed')), {
      ended: 'failed',
      said: ['one', 'failed'],
    })
    assert.deepEqual(await held(piped('failed', 'exit', 'two')), {
      ended: 'failed',
      said: ['failed'],
    })
  })

  test('ends when a turn is canceled or waits', async () => {
    for (const end of ['canceled', 'waiting'] as const) {
      assert.deepEqual(await held(piped(end, 'more')), { ended: end, said: [end] })
    }
  })

  test('shows an error without secrets and goes on; only a failed turn counts as one', async () => {
    const io = piped('/refuse', 'bad')
    assert.deepEqual(await held(io), { ended: 'failed', said: ['bad'] })
    assert.equal(io.written.stderr, 'echelon: the *** is wrong\n'.repeat(2))
    assert.equal((await held(piped('hello', '/refuse'))).ended, 'answered')
    assert.equal((await held(piped('hello', '/approve'))).ended, 'failed')
  })

  test('without any line is refused', async () => {
    await assert.rejects(held(piped('')), /there is no message; give one/)
  })
})

describe('a single message', () => {
  test('is a turn, or a command that the face has', async () => {
    assert.deepEqual(await held(piped(), 'hello'), { ended: 'answered', said: ['hello'] })
    assert.deepEqual(await held(piped(), '/etc/hosts'), { ended: 'answered', said: ['/etc/hosts'] })
    assert.deepEqual(await held(piped(), '/nothing'), { ended: 'answered', said: ['/nothing'] })
    const io = piped()
    assert.deepEqual(await held(io, '/shout hey'), { ended: undefined, said: [] })
    assert.equal(io.written.stdout, 'HEY\n')
  })

  test('that cannot be taken is an error of the command', async () => {
    await assert.rejects(held(piped(), 'bad'), { code: 'INVALID_INPUT' })
    await assert.rejects(held(piped(), '/refuse'), { code: 'INVALID_INPUT' })
  })
})

test('a conversation on a terminal goes on after a canceled turn, with an empty line after each', async () => {
  const terminal = fakeTerminal({ TERM: 'dumb' }, 80)
  terminal.type('canceled\r/shout hey\rhello\r/exit\r')
  assert.deepEqual(await held(terminal.io), { ended: 'answered', said: ['canceled', 'hello'] })
  assert.match(plainScreen(terminal.screen()), /\n\n> \/shout hey\nHEY\n\n> hello\n\n> \/exit\n$/)
})

test('the exit status is 0 only if the last turn was answered or there was none', () => {
  const all: readonly (Ended | undefined)[] = [undefined, 'answered', ...ENDS]
  assert.deepEqual(all.map(statusOf), [0, 0, 1, 1, 1])
})
