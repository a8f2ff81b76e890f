// The keyboard's focus, kept while messages are drawn again.

export const field = () => document.querySelector("#foot [type=text]");
// On touch screens the focus would open a keyboard, so it is left to the user.
export const focus = () => matchMedia("(hover: hover)").matches && field().focus();

// Remember what has the focus in a message. The function returned looks whether it disappeared or changed its kind, and
// focuses the same control drawn again, else its message. Where the message is gone it focuses the newest control of that
// kind, since a message that says whose turn it is takes the place of the one before, else the composer.
export const remember = () => {
  const { activeElement: before } = document, message = before.closest("#log article"), { id } = before.dataset;
  const kind = (dataId) => dataId?.split(":")[0];
  return () => {
    const { activeElement: now } = document;
    const isGone = now === document.body || !now.checkVisibility(); // a closed dialog has the focus until the next frame
    if (!message || !(isGone || (message.contains(now) && kind(now.dataset.id) !== kind(id)))) return;
    const find = (within, same) => [...within.querySelectorAll("[data-id]")].findLast(({ dataset }) => same(dataset.id));
    const target = message.isConnected
      ? (find(message, (other) => other === id) ?? message)
      : find(document.getElementById("log"), (other) => kind(other) === kind(id));
    target ? target.focus({ preventScroll: true }) : focus();
  };
};
