import type { SecondReader } from './agents/decide/verification/second-reader.ts'
import type { Provider } from './core/model/model.ts'
import type { Tool } from './core/tool/tool.ts'
import { optionalPackage } from './core/value/optional-package.ts'

/*
 * What `createDecider` uses without options: the offline models and the built-in tools. Each is a package
 * of its own, which depends on this one, so that its name is not known to the compiler here.
 */
const OFFLINE: string = '@echelon/offline'
const TOOLS: string = '@echelon/tools'

interface OfflinePackage {
  readonly offline: Provider
  readonly readSecond: SecondReader
}

/** @throws EchelonError MISSING_PACKAGE */
export const offlinePackage = (): Promise<OfflinePackage> =>
  optionalPackage(`${OFFLINE}@0.1`, () => import(OFFLINE))

/** @throws EchelonError MISSING_PACKAGE */
export const offlineReader = async (): Promise<SecondReader> => (await offlinePackage()).readSecond

interface ToolsPackage {
  readonly standardTools: () => Promise<readonly Tool[]>
}

/** @throws EchelonError MISSING_PACKAGE */
export async function standardTools(): Promise<readonly Tool[]> {
  const tools = await optionalPackage<ToolsPackage>(`${TOOLS}@0.1`, () => import(TOOLS))
  return await tools.standardTools()
}
