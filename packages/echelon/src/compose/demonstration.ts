import type { SecondReader } from '../agents/decide/verification/second-reader.ts'
import type { Provider } from '../core/model/model.ts'
import type { Tool } from '../core/tool/tool.ts'
import { optionalPackage } from '../core/value/optional-package.ts'

/*
 * `createDecider` without options uses two packages that depend on this one: the offline models and the built-in
 * tools. The compiler must not look for them, so it is given their names as any string.
 */
interface OfflinePackage {
  readonly offline: Provider
  readonly readSecond: SecondReader
}

/** @throws EchelonError MISSING_PACKAGE */
export const offlinePackage = (): Promise<OfflinePackage> =>
  optionalPackage(
    '@echelon/offline@0.1',
    // oxlint-disable-next-line typescript/no-unnecessary-type-assertion
    () => import('@echelon/offline' as string),
  )

/** @throws EchelonError MISSING_PACKAGE */
export const offlineReader = async (): Promise<SecondReader> => (await offlinePackage()).readSecond

interface ToolsPackage {
  readonly standardTools: () => Promise<readonly Tool[]>
}

/** @throws EchelonError MISSING_PACKAGE */
export async function standardTools(): Promise<readonly Tool[]> {
  const tools = await optionalPackage<ToolsPackage>(
    '@echelon/tools@0.1',
    // oxlint-disable-next-line typescript/no-unnecessary-type-assertion
    () => import('@echelon/tools' as string),
  )
  return await tools.standardTools()
}
