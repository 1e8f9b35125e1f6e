import type { ArtifactStore } from '../../core/tool/artifact.ts'
import type { Redactor } from '../../core/redaction/redaction.ts'

/**
 * Wraps a store so that file names are redacted before they are sanitized. A name becomes part of
 * URLs, results and logs, and a sanitized one (`ann_example.org.txt`) can't be recognized any more.
 */
export const safelyNamed = (store: ArtifactStore, redact: Redactor): ArtifactStore => ({
  write: (name, content) => store.write(safeName(name, redact), content),
})

function safeName(name: string, redact: Redactor): string {
  const extension = /\.[A-Za-z0-9]{1,8}$/.exec(name)?.[0] ?? ''
  const stem = name.slice(0, name.length - extension.length)
  const hidden = redact(stem)
  if (hidden === stem) return name
  // Without characters that a store treats as part of a path.
  return `${hidden.replaceAll(/\[(redacted(?::[a-z-]+)?)\]/g, (_, what: string) => what.replace(':', '-'))}${extension}`
}
