/** Shown when this browser is not signed in. */
import './signed-out.css';

export const SignedOut = () => (
  <main className="gone">
    <h1>Drover</h1>
    <p>This browser is not signed in.</p>
    <p>
      Run <code>drover open</code> in a terminal. It opens this page with a ticket that works once.
    </p>
    <p>
      <code>drover open --qr</code> pairs a phone.
    </p>
  </main>
);
