import { clean } from '../terminal/clean.ts'
import { quoted, STARTED_AS } from '../started-as.ts'

/** The command that shows a run in full, what it asks included. */
export const howToRead = (run: string): string =>
  `${STARTED_AS} runs show ${quoted(clean(run.slice(0, 8)))} --json`
