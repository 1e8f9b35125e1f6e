import { clean } from '../terminal/clean.ts'
import { quoted, STARTED_AS } from '../started-as.ts'

/** Command that shows a run in full, with its open requests. */
export const howToRead = (run: string): string =>
  `${STARTED_AS} runs show ${quoted(clean(run.slice(0, 8)))} --json`
