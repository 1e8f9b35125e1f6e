import { deepCopy } from '../python/value.ts'
import type { Domain } from './domain.ts'
import { isCall, type RecordedCall, type RecordedRun } from './recorded-run.ts'
import { type BaseTables, TauData } from './tau-data.ts'
import { invokeByName, type NamedCall } from './tau-tool.ts'

/** Result of consecutive direct tool calls. */
export interface Direct {
  readonly outputs: readonly string[]
  readonly data: TauData
}

export function callDirectly(
  { tools }: Domain,
  base: BaseTables,
  calls: readonly NamedCall[],
): Direct {
  const data = new TauData(base)
  // A tool may keep a list that it was given, and change it later.
  const outputs = calls.map(({ name, args }) =>
    invokeByName(tools, data, { name, args: deepCopy(args) }),
  )
  return { outputs, data }
}

export const callsOf = ({ exchanges }: RecordedRun): readonly RecordedCall[] =>
  exchanges.flatMap(({ turns }) => turns.filter(isCall))
