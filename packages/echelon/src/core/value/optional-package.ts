import { EchelonError } from './error.ts'
import { isRecord } from './json.ts'

/**
 * Loads a package that is not a dependency of the library.
 *
 * @param install arguments for `npm install`, with the version that Echelon is tested with: a bare name
 * can silently install an old major. Blanks separate several packages that are needed together.
 * @param load the dynamic import, written out by the caller so that types and bundlers see it.
 * @throws EchelonError MISSING_PACKAGE with the command to run, when the package or one of its
 * dependencies is absent. Any other failure passes through unchanged.
 */
export async function optionalPackage<Module>(
  install: string,
  load: () => Promise<Module>,
): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    const missing = missingPackage(error)
    if (missing === null) throw error
    const known = install.split(' ').some((each) => each.startsWith(`${missing}@`))
    const command = `npm install ${known ? install : missing}`
    throw new EchelonError('MISSING_PACKAGE', `${missing} is not installed; run: ${command}`, {
      details: { package: missing, command },
      cause: error,
    })
  }
}

/** Node words a missing file differently ("Cannot find module"): that is a bug, not a missing package. */
function missingPackage(error: unknown): string | null {
  if (!isRecord(error) || error['code'] !== 'ERR_MODULE_NOT_FOUND') return null
  return /^Cannot find package '([^']+)'/.exec(String(error['message']))?.[1] ?? null
}
