import assert from 'node:assert/strict'
import type { AuditStore } from '../../../core/store/store.ts'
import { casesOf, type ContractCase } from '../../contract.ts'
import { RECORDS, recorderContract, TEXT } from '../recorder-contract.ts'

/** Test actions on an audit log besides those of a program. */
export interface AuditStoreTrial {
  /** Throws if lines are not a complete chain, for example with `verifyAuditLines`. */
  readonly verify: (lines: readonly string[]) => void
  /** The same log, opened by another process. Adds a case. */
  readonly another?: (store: AuditStore) => AuditStore | Promise<AuditStore>
  /** Makes its writes fail. Adds a case. */
  readonly obstruct?: (store: AuditStore) => void | Promise<void>
}

/**
 * The requirements of every `AuditStore`, in addition to those of a recorder (`recorderContract`):
 * `for (const { name, holds } of auditStoreContract(open, trial)) test(name, holds)`.
 * @param open a new, empty store for each case
 */
export function auditStoreContract(
  open: () => AuditStore | Promise<AuditStore>,
  { verify, another, obstruct }: AuditStoreTrial,
): readonly ContractCase[] {
  const caseOf = casesOf(open)
  const asRecorder = async () => {
    const recorder = await open()
    return {
      recorder,
      kept: async () => (await recorder.read()).join('\n'),
      ...(obstruct && { obstruct: () => obstruct(recorder) }),
    }
  }
  return [
    ...recorderContract(asRecorder),
    caseOf('a new log has no lines', async (store) => {
      assert.deepEqual(await store.read(), [])
    }),
    caseOf('each record adds lines and keeps the earlier ones unchanged', async (store) => {
      let before: readonly string[] = []
      for (const record of RECORDS) {
        store.record(record)
        const now = await store.read()
        assert.ok(now.length > before.length, `${record.type} must be in the log`)
        assert.deepEqual(now.slice(0, before.length), before)
        before = now
      }
      verify(before)
      for (const line of before) assert.ok(!line.includes(TEXT), 'the text of the user is kept')
    }),
    ...(another === undefined
      ? []
      : [
          caseOf('all processes write one chain', async (store) => {
            const other = await another(store)
            for (const record of [...RECORDS, ...RECORDS]) {
              store.record(record)
              other.record(record)
            }
            // A process reads what it recorded; a store may write it for others a moment later.
            await other.read()
            const lines = await store.read()
            assert.deepEqual(await other.read(), lines)
            assert.ok(lines.length >= 4 * RECORDS.length)
            verify(lines)
          }),
        ]),
  ]
}
