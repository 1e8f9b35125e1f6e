import assert from 'node:assert/strict'
import { realpathSync } from 'node:fs'
import { afterEach, test } from 'node:test'
import { folderFor } from '../testing/run-command.ts'
import { enterOrigin, chatOrigin, type RunOrigin, readOrigin } from './run-origin.ts'

const HERE = process.cwd()
afterEach(() => process.chdir(HERE))

const made = (more: Partial<RunOrigin>): RunOrigin => {
  const read = readOrigin(chatOrigin({}, { model: 'offline/small', canAsk: true }))
  assert.equal(read?.command, 'chat')
  return Object.assign({}, read, more)
}

test('the origin of a run holds no key', () => {
  const secret = ['s3', 'cret'].join('')
  const baseUrl = `https://ann:${secret}@models.example/v1/?key=${secret}#x`
  const kept = chatOrigin({ baseUrl, tools: ['calculator'] }, { model: 'a/b', canAsk: false })
  assert.doesNotMatch(JSON.stringify(kept), /s3cret/)
  const read = readOrigin(kept)
  assert.equal(read?.baseUrl, 'https://models.example/v1')
  assert.equal(readOrigin(null), undefined)
  assert.equal(readOrigin({ command: 'other' }), undefined)
  assert.throws(() => readOrigin({ command: 'chat' }), /started by another version of Echelon/)
})

test('stores --approve later, but not always or never', () => {
  const approved = (approve: 'always' | 'never' | 'later'): unknown => {
    const read = readOrigin(chatOrigin({ approve }, { model: 'a/b', canAsk: true }))
    return read?.command === 'chat' && read.choice.approve
  }
  assert.deepEqual(
    [approved('later'), approved('always'), approved('never')],
    ['later', undefined, undefined],
  )
})

test('servers that receive keys must be given again, and are not taken from the store', () => {
  const there = made({ baseUrl: 'https://models.example/v1' })
  assert.throws(
    () => enterOrigin(there, {}),
    /started with the server https:\/\/models\.example\/v1; add --base-url/,
  )
  const said = { baseUrl: 'https://models.example/v1/' }
  assert.deepEqual(enterOrigin(there, said), said)
  assert.throws(() => enterOrigin(made({}), said), /started without --base-url/)
  const here = { baseUrl: 'http://127.0.0.1:8080/v1' }
  assert.deepEqual(enterOrigin(made(here), {}), here)
  assert.throws(() => enterOrigin(made({ config: '/x/config.yaml' }), {}), /add --config \/x\//)
})

test('a run resumes in the folder where it was started', (t) => {
  const folder = realpathSync(folderFor(t))
  enterOrigin(made({ folder }), {})
  assert.equal(process.cwd(), folder)
  process.chdir(HERE)
  assert.throws(() => enterOrigin(made({ folder: '/not/there' }), {}), /does not exist any more/)
})
