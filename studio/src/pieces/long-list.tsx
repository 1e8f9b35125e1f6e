import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import classes from './long-list.module.css'

interface LongListProps<Item> {
  readonly items: readonly Item[]
  readonly keyOf: (item: Item) => string
  readonly children: (item: Item) => ReactNode
  readonly label: string
  /** The height of most items, in pixels. */
  readonly height: number
  /** Loads more when the end comes near; `undefined` if there is no more. */
  readonly more?: (() => void) | undefined
  /** Scrolls to the item with this key when it changes. */
  readonly goTo?: string | undefined
  readonly className?: string | undefined
}

/** Items before the end at which more are loaded. */
const AHEAD = 10

/** A list of any length in the page: only the items in view are drawn. Items may be of any height. */
export function LongList<Item>(props: LongListProps<Item>) {
  const { items, keyOf, children, label, height, more, goTo, className } = props
  const list = useRef<HTMLUListElement>(null)
  const top = useTop(list)
  const virtual = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => height,
    overscan: 3,
    scrollMargin: top,
    getItemKey: (index) => {
      const item = items[index]
      return item === undefined ? index : keyOf(item)
    },
  })
  const drawn = virtual.getVirtualItems()
  const last = drawn.at(-1)?.index ?? 0
  useEffect(() => {
    if (last >= items.length - AHEAD) more?.()
  }, [last, items.length, more])
  useEffect(() => {
    const index = goTo === undefined ? -1 : items.findIndex((item) => keyOf(item) === goTo)
    if (index >= 0) virtual.scrollToIndex(index, { align: 'center' })
    // Only when another item is asked for, not whenever items come.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [goTo])
  return (
    <ul
      ref={list}
      className={`${classes['list']} ${className ?? ''}`}
      style={{ height: virtual.getTotalSize() }}
      aria-label={label}
    >
      {drawn.map(({ index, key, start }) => {
        const item = items[index]
        return item === undefined ? null : (
          <li
            key={key}
            ref={virtual.measureElement}
            data-index={index}
            className={classes['item']}
            style={{ transform: `translateY(${start - top}px)` }}
            aria-setsize={items.length}
            aria-posinset={index + 1}
          >
            {children(item)}
          </li>
        )
      })}
    </ul>
  )
}

/** Where an element begins in the page. Content above it may grow. */
function useTop(element: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const measure = (): void => {
      const box = element.current?.getBoundingClientRect()
      if (box !== undefined) setTop(Math.round(box.top + globalThis.scrollY))
    }
    measure()
    const watch = new ResizeObserver(measure)
    watch.observe(document.body)
    return () => watch.disconnect()
  }, [element])
  return top
}
