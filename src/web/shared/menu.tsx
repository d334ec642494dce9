/** A button that opens further buttons below it. It closes with a choice, with Escape and with a click elsewhere. */
import { type ReactNode, useEffect, useRef } from 'react';
import './menu.css';

export const Menu = ({ label, children }: { label: string; children: ReactNode }) => {
  const details = useRef<HTMLDetailsElement>(null);
  const close = () => details.current?.removeAttribute('open');
  useEffect(() => {
    const onPointer = (event: PointerEvent): void => {
      if (event.target instanceof Node && !details.current?.contains(event.target)) close();
    };
    document.addEventListener('pointerdown', onPointer);
    return () => document.removeEventListener('pointerdown', onPointer);
  }, []);
  return (
    <details
      className="menu"
      ref={details}
      onKeyDown={event => {
        if (event.key !== 'Escape' || !details.current?.open) return;
        event.preventDefault();
        close();
        details.current.querySelector('summary')?.focus();
      }}
    >
      <summary>{label}</summary>
      <div className="items" onClick={close}>
        {children}
      </div>
    </details>
  );
};
