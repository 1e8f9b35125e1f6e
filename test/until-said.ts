import type { ChildProcess } from 'node:child_process'

/**
 * Waits until a process has printed what matches. Its output stays open and is read to its end: a process that can no
 * longer print may end.
 *
 * @throws if it exits before
 */
export function untilSaid(child: ChildProcess, what: RegExp): Promise<RegExpExecArray> {
  let said = ''
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      said += String(chunk)
      const found = what.exec(said)
      if (found !== null) resolve(found)
    })
    child.once('exit', () => reject(new Error(`it ended before it said ${String(what)}: ${said}`)))
  })
}
