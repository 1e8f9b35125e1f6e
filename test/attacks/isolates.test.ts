import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { Json } from '../../packages/echelon/src/core/value/json.ts'
import type { WallMode } from '../../packages/echelon/src/platform/wall/wall.ts'
import { wallHere } from '../../packages/echelon/src/platform/wall/wall-here.ts'
import {
  type Isolate,
  isolate,
  type IsolateOptions,
} from '../../packages/echelon/src/platform/isolate.ts'
import { attempts } from './escapes/attempts.mjs'
import { LIES } from './escapes/isolated.mjs'
import { prepare } from './escapes/target.ts'
import { tried } from './tried.ts'

const FOLDER = join(import.meta.dirname, 'escapes')
const module = pathToFileURL(join(FOLDER, 'isolated.mjs'))
const never = new AbortController().signal
const open: Isolate<Json, unknown>[] = []
after(() => Promise.all(open.map((each) => each.close())))

function hostile(options: Partial<IsolateOptions> = {}): Isolate<Json, unknown> {
  const made = isolate<Json, unknown>({
    name: 'hostile',
    module,
    memoryMb: 128,
    timeoutMs: 60_000,
    ...options,
  })
  open.push(made)
  return made
}

const wall = await wallHere()
const MODES: readonly WallMode[] = ['off', 'required']
const KINDS: Readonly<Record<string, Partial<IsolateOptions>>> = {
  '': {},
  ' with a limit of all memory': { residentMb: 1024 },
  ' with addons': { addons: true },
}

/** The attempts that an isolate with native addons may make: the system's loader examines the file. */
const ALLOWED = ['load an addon', 'ask for a linked binding']

suite('isolates: files, processes, network, the channel', () => {
  for (const mode of MODES) {
    for (const [kind, options] of Object.entries(KINDS)) {
      const named = mode === 'off' ? 'by Node alone' : 'behind the wall of this machine'
      const skip = mode === 'required' && wall === undefined && 'this machine has no wall'
      test(`a hostile module cannot get out, ${named}${kind}`, { skip }, async (t) => {
        const { target, unharmed } = await prepare(t, FOLDER)
        const { run } = hostile({ wall: mode, ...options })
        const through = new Map(Object.entries(Object(await run({ target: { ...target } }, never))))
        await tried(t, {
          cases: Object.keys(attempts).filter((name) => !options.addons || !ALLOWED.includes(name)),
          named: (name) => name,
          hold: (name) => assert.equal(through.get(name), undefined),
          fast: Number.MAX_SAFE_INTEGER,
        })
        unharmed()
      })
    }
  }

  test("a module that writes to its caller's channel ends the worker, not the program", async (t) => {
    const { run } = hostile({ wall: 'off', workers: 1, timeoutMs: 3000 })
    await tried(t, {
      cases: LIES,
      named: (lie) => lie,
      hold: async (lie) => {
        const said = await run({ lie }, never).catch((error: unknown) => error)
        assert.ok(said === 'first' || (said instanceof Error && said.name === 'ToolError'))
        assert.deepEqual(await run({ target: {} }, never).then(() => 'served'), 'served')
      },
      fast: 5,
    })
  })
})
