import { JsonView as Tree } from 'react-json-view-lite'
import classes from './json-view.module.css'

const STYLE = {
  container: classes['container'] ?? '',
  basicChildStyle: classes['child'] ?? '',
  childFieldsContainer: classes['children'] ?? '',
  label: classes['label'] ?? '',
  clickableLabel: classes['clickable'] ?? '',
  nullValue: classes['literal'] ?? '',
  undefinedValue: classes['literal'] ?? '',
  numberValue: classes['number'] ?? '',
  stringValue: classes['string'] ?? '',
  booleanValue: classes['literal'] ?? '',
  otherValue: classes['literal'] ?? '',
  punctuation: classes['punctuation'] ?? '',
  expandIcon: classes['expand'] ?? '',
  collapseIcon: classes['collapse'] ?? '',
  collapsedContent: classes['collapsed'] ?? '',
  noQuotesForStringValues: false,
  quotesForFieldNames: false,
  ariaLables: { collapseJson: 'Close', expandJson: 'Open' },
  stringifyStringValues: false,
}

interface JsonViewProps {
  readonly value: unknown
  /** Levels that are open at first. */
  readonly open?: number
}

/** A JSON value as a tree that opens and closes. */
export function JsonView({ value, open = 2 }: JsonViewProps) {
  const data = typeof value === 'object' && value !== null ? value : { value }
  return (
    <Tree
      data={data}
      style={STYLE}
      shouldExpandNode={(level) => level < open}
      clickToExpandNode
      aria-label="JSON"
    />
  )
}
