import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { type LocalModelServer, startModelServer } from 'echelon/testing'
import type { ServerAnswer } from '../packages/echelon/src/testing/local-model-server.ts'
import { share } from './share.ts'

const ROOT = join(import.meta.dirname, '..')
const textOf = (page: string): string => readFileSync(join(ROOT, page), 'utf8')
const PAGES = textOf('README.md') + textOf('docs/getting-started.md')

/**
 * The programs for beginners, with real models instead of the offline ones. A program on the AI SDK is left out: it
 * gets the SDK's own errors, as with any other model.
 */
const PROGRAMS = [...PAGES.matchAll(/^```ts\n(.*?)^```$/gms)]
  .map(([, code = '']) => code)
  .filter((code) => !code.includes("from 'ai'"))
  .map((code) =>
    code.replaceAll('offline/small', 'openai/gpt-5-nano').replaceAll('offline/big', 'openai/gpt-5'),
  )

/** The same programs, with limits that a test can wait for. */
const HURRIED = PROGRAMS.map((code) =>
  code
    .replace('createAgent({', 'createAgent({ modelTimeouts: { answerMs: 500 },')
    .replace('settings: {', '')
    .replace('budget: { max_cost_usd: 0.1 } },', '')
    .replace(
      'createDecider({',
      'createDecider({ settings: { limits: { max_call_seconds: 0.2, max_reasoning_seconds: 0.2 } },',
    ),
)

interface Ended {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

function ended(program: string, server: LocalModelServer): Promise<Ended> {
  const env = {
    ...process.env,
    OPENAI_API_KEY: 'made-up-key-of-a-test',
    OPENAI_BASE_URL: server.baseUrl,
  }
  const args = ['--conditions=echelon-source', '--input-type=module-typescript', '--eval', program]
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      args,
      { cwd: ROOT, env, timeout: 60_000 },
      (_, stdout, stderr) => resolve({ status: child.exitCode ?? -1, stdout, stderr }),
    )
  })
}

interface Failing {
  readonly answer: ServerAnswer
  readonly programs?: readonly string[]
  readonly says: RegExp
}

const FAILING: Readonly<Record<string, Failing>> = {
  401: {
    answer: { type: 'status', status: 401, message: 'Incorrect API key provided.' },
    says: /the key is missing or wrong \(Incorrect API key provided\); set a valid API key for openai/,
  },
  404: {
    answer: { type: 'status', status: 404, message: 'No such model', code: 'model_not_found' },
    says: /there is no such model or server .*; check the name of the model/,
  },
  '429 with a wait': {
    answer: { type: 'status', status: 429, headers: { 'retry-after': '120' }, message: 'Slow' },
    says: /too many requests; slow down .*; try again in 120 s/,
  },
  nothing: {
    answer: { type: 'silence' },
    programs: HURRIED,
    says: /no answer in time \(openai\/gpt-5.*(?:0\.2|0\.5) s.*\); try again, or allow more time/,
  },
}

async function checkFailure(program: string, answer: ServerAnswer, says: RegExp): Promise<void> {
  await using server = await startModelServer(Array.from({ length: 20 }, () => answer))
  const { status, stdout, stderr } = await ended(program, server)
  assert.equal(status, 1, stderr)
  assert.ok(server.requests.length > 0)
  assert.equal(stdout, '')
  const message = stderr.split('\n').find((line) => line.startsWith('EchelonError: ')) ?? ''
  assert.match(message, says)
  assert.ok(stderr.split('\n').length < 30, stderr)
  assert.ok(!stderr.includes('made-up-key-of-a-test'))
}

describe('a program for beginners whose server answers', () => {
  for (const [what, { answer, programs = PROGRAMS, says }] of Object.entries(FAILING)) {
    test(`${what} prints the reason first and ends with status 1`, async () => {
      assert.equal(programs.length, 3)
      // Each waits for its server, so they run at the same time.
      const some = share(programs, 1)
      await Promise.all(some.map((program) => checkFailure(program, answer, says)))
    })
  }
})
