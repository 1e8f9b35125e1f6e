import assert from 'node:assert/strict'
import { realpathSync } from 'node:fs'
import { afterEach, test } from 'node:test'
import { folderFor } from '../testing/run-command.ts'
import { goWhereMade, madeChat, type Made, readMade } from './made.ts'

const HERE = process.cwd()
afterEach(() => process.chdir(HERE))

const made = (more: Partial<Made>): Made => {
  const read = readMade(madeChat({}, { model: 'offline/small', canAsk: true }))
  assert.equal(read?.command, 'chat')
  return Object.assign({}, read, more)
}

test('what a run needs to go on holds no key', () => {
  const secret = ['s3', 'cret'].join('')
  const baseUrl = `https://ann:${secret}@models.example/v1/?key=${secret}#x`
  const kept = madeChat({ baseUrl, tools: ['calculator'] }, { model: 'a/b', canAsk: false })
  assert.doesNotMatch(JSON.stringify(kept), /s3cret/)
  const read = readMade(kept)
  assert.equal(read?.baseUrl, 'https://models.example/v1')
  assert.equal(readMade(null), undefined)
  assert.equal(readMade({ command: 'other' }), undefined)
  assert.throws(() => readMade({ command: 'chat' }), /begun by another version of echelon/)
})

test('that what is asked waits is kept, and no yes or no to all of it', () => {
  const approved = (approve: 'always' | 'never' | 'later'): unknown => {
    const read = readMade(madeChat({ approve }, { model: 'a/b', canAsk: true }))
    return read?.command === 'chat' && read.choice.approve
  }
  assert.deepEqual(
    [approved('later'), approved('always'), approved('never')],
    ['later', undefined, undefined],
  )
})

test('whom keys are sent to is said again, and never believed of the file', () => {
  const there = made({ baseUrl: 'https://models.example/v1' })
  assert.throws(
    () => goWhereMade(there, {}),
    /begun with the server https:\/\/models\.example\/v1; add --base-url/,
  )
  const said = { baseUrl: 'https://models.example/v1/' }
  assert.deepEqual(goWhereMade(there, said), said)
  assert.throws(() => goWhereMade(made({}), said), /begun without --base-url/)
  const here = { baseUrl: 'http://127.0.0.1:8080/v1' }
  assert.deepEqual(goWhereMade(made(here), {}), here)
  assert.throws(() => goWhereMade(made({ config: '/x/config.yaml' }), {}), /add --config \/x\//)
})

test('it goes on in the folder where it was begun', (t) => {
  const folder = realpathSync(folderFor(t))
  goWhereMade(made({ folder }), {})
  assert.equal(process.cwd(), folder)
  process.chdir(HERE)
  assert.throws(() => goWhereMade(made({ folder: '/not/there' }), {}), /is not there any more/)
})
