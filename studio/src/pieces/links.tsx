import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ReactNode, Ref } from 'react'

/* Links to views that look like text or a button. The router checks where they lead. */

interface Own {
  readonly children?: ReactNode
  readonly ref?: Ref<HTMLAnchorElement>
}

export const TextLink = createLink((props: Omit<AnchorProps, 'href'> & Own) => (
  <Anchor {...props} />
))

export const ButtonLink = createLink((props: Omit<ButtonProps, 'href'> & Own) => (
  <Button component="a" {...props} />
))
