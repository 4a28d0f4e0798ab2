// What the page does better with JavaScript. Nothing here is needed: every form and link works without it.
/* global location, navigator, setTimeout, clearTimeout, Event */
(function () {
  'use strict';
  var each = function (selector, use) {
    Array.prototype.forEach.call(document.querySelectorAll(selector), use);
  };

  // Pages that are the same for everybody are cached, so the number of units in the bag is put in here.
  function showCount() {
    var found = /(?:^|; )recado_units=(\d{1,6})(?:;|$)/.exec(document.cookie);
    each('[data-cart-count]', function (badge) {
      badge.textContent = found ? found[1] : '';
      badge.hidden = !found || found[1] === '0';
    });
  }
  showCount();
  window.addEventListener('pageshow', function (event) {
    showCount();
    // Back from the next page: the form may be sent again.
    if (event.persisted) each('[data-once]', release);
  });

  // Of the address that a visitor comes by, what campaigns put there goes along with the order.
  (function () {
    var known = /^(?:utm_(?:source|medium|campaign|term|content)|gclid|gbraid|wbraid|fbclid|msclkid|ttclid)=/;
    var found = location.search
      .slice(1)
      .split('&')
      .filter(function (pair) {
        return known.test(pair) && pair.length < 300;
      })
      .join('&');
    // The first campaign is the one that brought them.
    if (!found || /(?:^|; )recado_from=/.test(document.cookie)) return;
    document.cookie =
      'recado_from=' + encodeURIComponent(found) + '; Path=/loja; Max-Age=2592000; SameSite=Lax';
  })();

  each('[data-stepper]', function (box) {
    var input = box.querySelector('input');
    var wrap = document.createElement('span');
    wrap.className = 'stepper';
    input.parentNode.insertBefore(wrap, input);
    [
      [-1, '\u2212', box.dataset.less],
      [1, '+', box.dataset.more],
    ].forEach(function (button) {
      var made = document.createElement('button');
      made.type = 'button';
      made.textContent = button[1];
      made.setAttribute('aria-label', button[2]);
      made.addEventListener('click', function () {
        var least = Number(input.min);
        var most = Number(input.max) || 999;
        var next = Math.min(most, Math.max(least, (Number(input.value) || 0) + button[0]));
        if (String(next) === input.value) return;
        input.value = String(next);
        input.dispatchEvent(new Event('change', { bubbles: true }));
      });
      wrap.appendChild(made);
      if (button[0] === -1) wrap.appendChild(input);
    });
  });

  each('[data-cart]', function (form) {
    var update = form.querySelector('[data-update]');
    var timer = 0;
    if (!form.requestSubmit) return;
    update.parentNode.hidden = true;
    form.addEventListener('change', function () {
      clearTimeout(timer);
      timer = setTimeout(function () {
        form.requestSubmit(update);
      }, 600);
    });
  });

  var masks = {
    cep: function (digits) {
      return digits.replace(/^(\d{5})(\d{3})$/, '$1-$2');
    },
    phone: function (digits) {
      return digits.replace(/^(\d{2})(\d{4,5})(\d{4})$/, '($1) $2-$3');
    },
  };
  each('[data-mask]', function (input) {
    var mask = masks[input.dataset.mask];
    input.addEventListener('blur', function () {
      if (/[^\d\s().-]/.test(input.value)) return;
      var digits = input.value.replace(/\D/g, '');
      if (digits.length > 7 && digits.length < 12) input.value = mask(digits);
    });
  });

  function release(button) {
    button.removeAttribute('aria-disabled');
  }
  each('[data-once]', function (button) {
    button.form.addEventListener('submit', function (event) {
      if (button.getAttribute('aria-disabled') === 'true') event.preventDefault();
      button.setAttribute('aria-disabled', 'true');
    });
  });

  each('[data-copy]', function (button) {
    var source = document.querySelector('[data-copy-source]');
    var status = document.querySelector('[data-copy-status]');
    var label = button.textContent;
    if (!navigator.clipboard && !document.execCommand) return;
    button.hidden = false;
    button.addEventListener('click', function () {
      var done = function () {
        button.textContent = button.dataset.copy;
        status.textContent = button.dataset.copy;
        setTimeout(function () {
          button.textContent = label;
          status.textContent = '';
        }, 2500);
      };
      var byHand = function () {
        source.focus();
        source.select();
        if (document.execCommand('copy')) done();
      };
      if (navigator.clipboard) navigator.clipboard.writeText(source.value).then(done, byHand);
      else byHand();
    });
  });

  each('[data-focus]', function (box) {
    box.focus();
  });
})();
