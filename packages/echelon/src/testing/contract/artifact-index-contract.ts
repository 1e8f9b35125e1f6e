import assert from 'node:assert/strict'
import type { Artifact } from '../../core/tool/artifact.ts'
import type { Entry } from '../../core/journal/journal.ts'
import type { RunStore } from '../../core/store/run-store.ts'
import type { ArtifactIndex } from '../../core/store/store.ts'
import type { ToolOutcome } from '../../core/tool/tool-call.ts'
import { casesOf, type ContractCase, notCopied } from '../contract.ts'
import { ended, started } from '../run-store/premises.ts'

/** An index of files, and the runs whose tools make them. */
export interface ArtifactIndexTrial {
  readonly artifacts: ArtifactIndex
  readonly runs: RunStore
}

/**
 * What every `ArtifactIndex` must do, together with the `RunStore` that it is read off:
 * `for (const { name, holds } of artifactIndexContract(open)) test(name, holds)`.
 * @param open new, empty stores for each case
 */
export function artifactIndexContract(
  open: () => ArtifactIndexTrial | Promise<ArtifactIndexTrial>,
): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('a run that made no file has none', async ({ artifacts, runs }) => {
      assert.deepEqual(await artifacts.of('r'), [])
      assert.equal(await artifacts.find('a.png'), undefined)
      const nothing = [{ type: 'ok', value: 'a.png' }] as const
      await runs.append('r', [started('r', AT), called(0, nothing)])
      assert.deepEqual(await artifacts.of('r'), [])
    }),
    caseOf('files are told of as calls settle and as steps close', async ({ artifacts, runs }) => {
      const outcomes = [made('a.png'), { type: 'denied', reason: 'no' }, made('b.txt')] as const
      await runs.append('r', [started('r', AT)])
      await runs.append('r', [settled(0, 0, outcomes[0])])
      assert.deepEqual(namesOf(await artifacts.of('r')), ['a.png'])
      await runs.append('r', [called(0, outcomes)])
      assert.deepEqual(namesOf(await artifacts.of('r')), ['a.png', 'b.txt'])
      const { at, ...found } = (await artifacts.find('a.png')) ?? { at: 0 }
      assert.deepEqual(found, { ...artifact('a.png'), run: 'r' })
      assert.ok(at > 0)
    }),
    caseOf('a file of a run within a run is of the whole run', async ({ artifacts, runs }) => {
      const inner = { ...settled(0, 0, made('a.png')), path: '0.0/' }
      await runs.append('r', [started('r', AT), inner])
      assert.deepEqual(namesOf(await artifacts.of('r')), ['a.png'])
    }),
    caseOf('of files of one name the newest is found', async ({ artifacts, runs }) => {
      for (const run of ['r', 's']) {
        await runs.append(run, [started(run, AT), settled(0, 0, made('a.png'))])
      }
      assert.equal((await artifacts.find('a.png'))?.run, 's')
      assert.deepEqual(namesOf(await artifacts.of('r')), ['a.png'])
    }),
    caseOf('files go out of the index with their run', async ({ artifacts, runs }) => {
      for (const run of ['r', 's']) {
        await runs.append(run, [started(run, AT), settled(0, 0, made('a.png')), ended(AT)])
      }
      await runs.remove('s')
      assert.deepEqual(await artifacts.of('s'), [])
      assert.equal((await artifacts.find('a.png'))?.run, 'r')
    }),
    caseOf('what a reader does is not seen by the next', async ({ artifacts, runs }) => {
      await runs.append('r', [started('r', AT), settled(0, 0, made('a.png'))])
      Object.assign(Object((await artifacts.of('r'))[0]), { name: 'changed' })
      const left = namesOf(await artifacts.of('r'))
      assert.deepEqual(left, ['a.png'], notCopied('of', 'file'))
    }),
  ]
}

const AT = 1_757_300_000_000

const artifact = (name: string): Artifact => ({
  name,
  path: `/tmp/${name}`,
  mediaType: 'image/png',
  bytes: 3,
  sha256: 'abc',
  image: { width: 1, height: 1, ink: 0.5 },
})

const made = (name: string): ToolOutcome => ({
  type: 'ok',
  value: null,
  artifacts: [artifact(name)],
})

const settled = (seq: number, call: number, outcome: ToolOutcome): Entry => ({
  type: 'settled',
  path: '',
  seq,
  call,
  outcome,
})

const called = (seq: number, outcomes: readonly ToolOutcome[]): Entry => ({
  type: 'closed',
  path: '',
  seq,
  digest: 0,
  seen: { type: 'tools-called', outcomes },
  at: AT,
  spent: {},
})

const namesOf = (files: readonly { readonly name: string }[]): readonly string[] =>
  files.map(({ name }) => name)
