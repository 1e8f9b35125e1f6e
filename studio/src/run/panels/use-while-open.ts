import type { RunView } from 'echelon/client'
import { useEffect } from 'react'

const REFRESH_MS = 2000

type Refetch = (options: { readonly cancelRefetch: boolean }) => unknown

/** Fetches repeatedly while a run works, and once more when it is over. */
export function useWhileOpen({ end }: RunView, refetch: Refetch): void {
  const isOver = end !== null
  useEffect(() => {
    const ask = () => void refetch({ cancelRefetch: false })
    ask()
    if (isOver) return undefined
    const timer = setInterval(ask, REFRESH_MS)
    return () => clearInterval(timer)
  }, [isOver, refetch])
}
